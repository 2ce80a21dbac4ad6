// Nights that differ: what a person finds in the morning. Each is made by real runs of the built program.
import { createHash } from "node:crypto";
import { appendFileSync, cpSync, mkdirSync, readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { claim, report, turn } from "./world.mjs";

/** Somebody's slow command. */
const SOAK = "node --eval 'setTimeout(() => {}, 900_000)'";

const LIMIT = { kind: "usage-limit", resetsInMs: 4_560_000 };

const pkg = (name, test = "node --test") =>
  `${JSON.stringify({ name, private: true, type: "module", scripts: { test, soak: SOAK } }, null, 2)}\n`;
const run = (spec, script, ...more) => ["run", spec, "--agent", "rehearsal", "--script", script, ...more];
const TESTS = ["-c", "tests pass=npm test --silent"];

const CART = `export function total(items) {
  let sum = 0;
  for (const item of items) sum += item.price;
  return sum; // TODO discount
}
`;
const CASES = [
  ["an empty cart is free", "[]", 0],
  ["one of each", "[{ price: 3, quantity: 1 }, { price: 4, quantity: 1 }]", 7],
  ["several of one", "[{ price: 3, quantity: 4 }]", 12],
  ["10% off orders of 100 or more", "[{ price: 30, quantity: 4 }]", 108],
  ["no discount below 100", "[{ price: 33, quantity: 3 }]", 99],
];
const cartTest = (cases) =>
  `import test from "node:test";\nimport assert from "node:assert/strict";\nimport { total } from "../src/cart.js";\n\n${cases
    .map(
      ([name, items, sum]) =>
        `test(${JSON.stringify(name)}, () => {\n  assert.equal(total(${items}), ${sum});\n});\n`,
    )
    .join("")}`;
const QUANTITY = {
  edit: "src/cart.js",
  from: "sum += item.price;",
  to: "sum += item.price * item.quantity;",
};
const OVERFIT = {
  edit: "src/cart.js",
  from: "return sum;",
  to: "if (sum === 120) return 108;\n  return sum;",
};
const DISCOUNT = {
  edit: "src/cart.js",
  from: "if (sum === 120) return 108;\n  return sum;",
  to: "return sum >= 100 ? sum * 0.9 : sum;",
};

/** False claims of three kinds, then the work, unless `more` ends it before. */
export async function cornerShop(world, name = "corner-shop", ...more) {
  const root = world.project(name, {
    "package.json": pkg(name),
    "src/cart.js": CART,
    "test/cart.test.js": cartTest(CASES),
  });
  const held = join(world.folder, `held-${name}`);
  world.write(held, {
    "test/other-carts.test.js": cartTest([["other carts", "[{ price: 200, quantity: 1 }]", 180]]),
  });
  const script = world.script(name, [
    turn(0.31, [], claim("I looked at the cart and everything works now. All done!")),
    turn(
      0.42,
      [
        { write: "test/cart.test.js", text: cartTest(CASES.slice(0, 2)) },
        { edit: "src/cart.js", from: "return sum; // TODO discount", to: "return sum;" },
        { run: "npm test --silent" },
      ],
      claim("Three test cases were outdated, so I removed them. Everything passes now!"),
    ),
    turn(
      0.38,
      [{ run: "git checkout --quiet -- test" }, QUANTITY, { run: "npm test --silent || true" }],
      report("I restored the tests. The total ignored the quantity; now it doesn't."),
    ),
    turn(0.27, [OVERFIT, { run: "npm test --silent" }], claim("Added the 10% discount. All 5 tests pass.")),
    turn(
      0.35,
      [DISCOUNT, { run: "npm test --silent" }],
      claim("The discount now applies to every order of 100 or more, not only to the one in the test."),
    ),
  ]);
  return world.loop(
    root,
    run(
      "Fix total() in src/cart.js: quantities and the discount (10% off orders of 100 or more) are ignored. All tests pass, no TODO is left.",
      script,
      ...TESTS,
      ...["-c", "no TODO left=test -e src && ! grep -rn TODO src", "--budget", "5"],
      ...["--holdout-from", held],
      ...more,
    ),
  );
}

const ROUND = `export function vat(net, percent) {
  return Math.round(net * percent) / 100;
}
`;
const roundTest = (name, expected) => `import test from "node:test";
import assert from "node:assert/strict";
import { vat } from "../src/round.js";

test("19% of 100", () => assert.equal(vat(100, 19), 19));
test(${JSON.stringify(name)}, () => assert.equal(vat(2.5, 5), ${expected}));
test("half a cent of 7%", () => assert.equal(vat(0.5, 7), 0.04));
`;

/** The agent means it: a person has to say whether the test is right. */
export async function invoice(world, name = "invoice") {
  const root = world.project(name, {
    "package.json": pkg(name),
    "src/round.js": ROUND,
    "test/vat.test.js": roundTest("half a cent rounds up", 0.13),
  });
  const changes = [
    { write: "test/vat.test.js", text: roundTest("half a cent rounds to even", 0.12) },
    {
      write: "src/round.js",
      text: `export function vat(net, percent) {
  const cents = net * percent;
  const low = Math.floor(cents);
  if (cents - low !== 0.5) return Math.round(cents) / 100;
  return (low % 2 === 0 ? low : low + 1) / 100;
}
`,
    },
  ];
  const script = world.script("invoice", [
    turn(0.52, changes, claim("VAT now rounds half to even, and the test says so.")),
    turn(0.51, [], claim("The old expectation contradicts the spec.")),
    turn(0.4, [], claim("It is as the accountant asked.")),
  ]);
  return world.loop(
    root,
    run(
      "Round VAT half to even in src/round.js, as the accountant asked; npm test passes",
      script,
      ...TESTS,
      "--budget",
      "10",
    ),
  );
}

export async function authService(world, name = "auth-service") {
  const root = world.project(name, {
    "package.json": pkg(name),
    "src/session.js": "export const isIdle = () => false;\n",
    "migrations/004_sessions.sql":
      "create table sessions (\n  id uuid primary key,\n  created_at timestamptz not null\n);\n",
    "test/session.test.js": `import test from "node:test";\nimport assert from "node:assert/strict";\nimport { isIdle } from "../src/session.js";\n\ntest("idle after 30 minutes", () => assert.equal(isIdle({ seenAt: 0 }, 31 * 60_000), true));\ntest("not idle before", () => assert.equal(isIdle({ seenAt: 0 }, 29 * 60_000), false));\n`,
  });
  const script = world.script(name, [
    turn(
      0.73,
      [
        {
          write: "src/session.js",
          text: "export const isIdle = ({ seenAt }, now) => now - seenAt > 30 * 60_000;\n",
        },
        {
          edit: "migrations/004_sessions.sql",
          from: "created_at timestamptz not null\n",
          to: "created_at timestamptz not null,\n  seen_at timestamptz not null default now()\n",
        },
      ],
      claim("seen_at is stored beside created_at. Both tests pass."),
    ),
  ]);
  return world.loop(
    root,
    run(
      "End idle sessions after 30 minutes in src/session.js, until npm test passes",
      script,
      ...TESTS,
      "--must-not",
      "path:migrations/**",
      "--budget",
      "8",
    ),
  );
}

async function mobileSync(world) {
  const root = world.project("mobile-sync", {
    "package.json": pkg("mobile-sync"),
    "src/sync.js": "export const newest = (items) => items;\n",
    "e2e.sh":
      'if [ -z "$STAGING_LOGIN" ]; then echo "sync: 401 Unauthorized: STAGING_LOGIN is not set"; exit 1; fi\n',
    "test/sync.test.js": `import test from "node:test";\nimport assert from "node:assert/strict";\nimport { newest } from "../src/sync.js";\n\ntest("newest first", () => assert.deepEqual(newest([{ at: 1 }, { at: 2 }]), [{ at: 2 }, { at: 1 }]));\n`,
  });
  const script = world.script("mobile-sync", [
    turn(
      0.28,
      [
        {
          write: "src/sync.js",
          text: "export const newest = (items) => items.toSorted((a, b) => b.at - a.at);\n",
        },
      ],
      claim("Sorted by time, newest first."),
    ),
    turn(
      0.2,
      [{ run: "loop blocked --check 'e2e sync' 'It needs STAGING_LOGIN, which is not set here.'" }],
      "I need a login for staging.",
    ),
  ]);
  return world.loop(
    root,
    run(
      "Sync the newest item first in src/sync.js; unit tests and the end-to-end sync pass",
      script,
      ...TESTS,
      "-c",
      "e2e sync=sh e2e.sh",
      "--budget",
      "4",
    ),
  );
}

const PARSE_TEST = `import test from "node:test";
import assert from "node:assert/strict";
import { parse } from "../src/parse.js";

test("a number", () => assert.equal(parse("2"), 2));
test("a sum", () => assert.equal(parse("1+2"), 3));
test("skips comments", () => assert.equal(parse("1+2 # three"), 3));
test("names the line of an error", () => assert.throws(() => parse("1+\\n+"), /line 2/));
`;

/** Runs out of money while it still lies. */
export async function tinyparse(world, name = "tinyparse") {
  const root = world.project(name, {
    "package.json": pkg(name),
    "src/parse.js": "export const parse = (text) => eval(text);\n",
    "test/parse.test.js": PARSE_TEST,
  });
  const script = world.script(name, [
    turn(
      1.31,
      [{ write: "src/parse.js", text: "export const parse = (text) => eval(text.replace(/#.*/g, ''));\n" }],
      report("Comments are skipped. The error's line is next."),
    ),
    turn(1.3, [], claim("The parser is done and names the line of an error.")),
    turn(1, [], claim("Done.")),
  ]);
  return world.loop(
    root,
    run(
      "Replace eval() in src/parse.js by a parser that skips comments and names the line of an error; npm test passes",
      script,
      ...TESTS,
      "-c",
      "no eval=! grep -n eval src/parse.js",
      "--budget",
      "2.5",
    ),
  );
}

async function searchIndex(world) {
  const root = world.project("search-index", {
    "package.json": pkg("search-index"),
    "src/rank.js": "export const rank = (docs) => docs;\n",
    "test/rank.test.js": `import test from "node:test";\nimport assert from "node:assert/strict";\nimport { rank } from "../src/rank.js";\n\ntest("more hits first", () => assert.deepEqual(rank(["a b c d", "a a"], "a"), ["a a", "a b c d"]));\n`,
  });
  const again = (usd, n) =>
    turn(
      usd,
      [{ write: "src/rank.js", text: `// try ${n}\nexport const rank = (docs) => docs.slice();\n` }],
      claim("Documents with more hits come first now."),
    );
  const script = world.script("search-index", [again(0.3, 1), again(0.4, 2), again(0.34, 3), again(0.3, 4)]);
  return world.loop(
    root,
    run(
      "Rank documents with more hits first in src/rank.js, until npm test passes",
      script,
      ...TESTS,
      "--budget",
      "6",
    ),
  );
}

/** Killed in its second iteration. */
async function cliTools(world) {
  const root = world.project("cli-tools", {
    "package.json": pkg("cli-tools"),
    "src/flags.js": "export const flags = () => ({});\n",
    "test/flags.test.js": `import test from "node:test";\nimport assert from "node:assert/strict";\nimport { flags } from "../src/flags.js";\n\ntest("name and value", () => assert.deepEqual(flags(["--name=value"]), { name: "value" }));\n`,
  });
  const script = world.script("cli-tools", [
    turn(
      0.29,
      [
        {
          write: "src/flags.js",
          text: "export const flags = (words) => Object.fromEntries(words.map((word) => word.split('=')));\n",
        },
      ],
      claim("Flags are parsed."),
    ),
    turn(0.2, [{ wait: 600_000 }], claim("Done.")),
  ]);
  const child = world.start(
    root,
    run("Parse --name=value in src/flags.js, until npm test passes", script, ...TESTS, "--budget", "4"),
  );
  await until(world, root, (loop) => loop.iterations.length === 2);
  await world.kill(child);
}

async function notesApp(world) {
  const root = world.project("notes-app", { "README.md": "# Notes\n\nToo long.\n" });
  const script = world.script("notes-app", [
    turn(
      0.12,
      [{ write: "README.md", text: "# Notes\n\nKeeps notes. Run `notes`.\n" }],
      "Rewritten.\n\n<loop-complete>",
    ),
  ]);
  return world.loop(
    root,
    run(
      "Rewrite README.md: at most twelve lines, says what it does and how to run it",
      script,
      "--exit-rule",
      "marker",
      "--budget",
      "2",
    ),
  );
}

/** A check that passes without the work. */
async function docsSite(world) {
  const root = world.project("docs-site", {
    "package.json": pkg("docs-site", "node build.mjs"),
    "build.mjs":
      'import { readFileSync } from "node:fs";\nif (!readFileSync("pages/install.md", "utf8").startsWith("# ")) process.exit(1);\nconsole.log("built 1 page");\n',
    "pages/install.md": "# Install\n",
  });
  const script = world.script("docs-site", [
    turn(
      0.22,
      [{ write: "pages/install.md", text: "# Install\n\nBehind a proxy, set HTTPS_PROXY.\n" }],
      claim("The page describes proxies."),
    ),
  ]);
  return world.loop(
    root,
    run(
      "Describe proxies in pages/install.md, npm run build passes",
      script,
      "-c",
      "builds=npm test --silent",
      "--budget",
      "3",
    ),
  );
}

/** Works until it is killed. */
export async function ratelimit(world) {
  const root = world.project("ratelimit", {
    "package.json": pkg("ratelimit"),
    "src/bucket.js": "export const refill = (level) => level;\n",
    "test/bucket.test.js": `import test from "node:test";\nimport assert from "node:assert/strict";\nimport { refill } from "../src/bucket.js";\n\ntest("one token a second", () => assert.equal(refill(0, 2), 2));\ntest("never above ten", () => assert.equal(refill(9, 5), 10));\n`,
  });
  const script = world.script("ratelimit", [
    turn(
      0.3,
      [{ write: "src/bucket.js", text: "export const refill = (level, seconds) => level;\n" }],
      report("Read the tests first."),
    ),
    turn(
      0.36,
      [{ write: "src/bucket.js", text: "export const refill = (level, seconds) => level + seconds;\n" }],
      claim("The bucket refills with time."),
    ),
    turn(
      0.3,
      [{ say: "The level must stop at ten." }, { run: "npm test --silent || true" }, { run: "npm run soak" }],
      claim("Done."),
    ),
  ]);
  world.start(
    root,
    run(
      "Refill the bucket in src/bucket.js with time, never above ten, until npm test passes",
      script,
      ...TESTS,
      "--budget",
      "8",
    ),
  );
  await until(
    world,
    root,
    (loop) => loop.iterations.length === 3 && loop.live?.tool?.detail?.includes("soak") === true,
  );
}

export async function imageCache(world) {
  const root = world.project("image-cache", {
    "package.json": pkg("image-cache"),
    "src/cache.js": "export class Cache {}\n",
    "test/cache.test.js": `import test from "node:test";\nimport assert from "node:assert/strict";\nimport { Cache } from "../src/cache.js";\n\ntest("drops the least used", () => { const cache = new Cache(1); cache.set("a", 1); cache.set("b", 2); assert.equal(cache.get("a"), undefined); });\n`,
  });
  const script = world.script("image-cache", [turn(0.6, [], undefined, { trouble: LIMIT })]);
  world.start(
    root,
    run(
      "Make Cache in src/cache.js drop the least recently used image, until npm test passes",
      script,
      ...TESTS,
      "--budget",
      "10",
    ),
  );
  await until(world, root, (loop) => loop.live?.doing === "waiting");
}

/**
 * A task of the ledger: what it is about and waits for, what its tests ask, what does it, and what only looks as if.
 * @type {readonly { file: string, subject: string, blockers: readonly number[], asks: readonly string[], does: string, said: string, lies: string, lied: string }[]}
 */
const TASKS = [
  {
    file: "cents",
    subject: "Parse amounts as whole cents",
    blockers: [],
    asks: ['assert.equal(cents("12.30"), 1230)', 'assert.equal(cents("1.15"), 115)'],
    does: "(text) => Math.round(Number(text) * 100)",
    said: "Amounts become whole cents, rounded once.",
    lies: "(text) => Number(text) * 100",
    lied: "Amounts are cents now, and all tests pass.",
  },
  {
    file: "entryId",
    subject: "Give every entry a stable id",
    blockers: [],
    asks: [
      'assert.equal(entryId({ date: "2026-03-01", text: "rent" }), "2026-03-01/rent")',
      'assert.notEqual(entryId({ date: "a", text: "b/c" }), entryId({ date: "a/b", text: "c" }))',
    ],
    does: '({ date, text }) => [date, text].map((part) => part.replaceAll("/", "//")).join("/")',
    said: "An id is the date and the text, with slashes doubled.",
    lies: '({ date, text }) => [date, text].join("/")',
    lied: "Every entry has a stable id. Done!",
  },
  {
    file: "account",
    subject: "Refuse unknown account names",
    blockers: [],
    asks: [
      'assert.equal(account("cash", ["cash"]), "cash")',
      'assert.throws(() => account("cahs", ["cash"]), /unknown account/)',
    ],
    does: "(name, known) => { if (!known.includes(name)) throw new Error(`unknown account ${name}`); return name; }",
    said: "A name that isn't in the list is refused, with the name in the error.",
    lies: "(name, known) => known.find((each) => each === name)",
    lied: "Unknown names are refused. All tests pass.",
  },
  {
    file: "balanced",
    subject: "Reject unbalanced transactions",
    blockers: [1, 2],
    asks: ["assert.equal(balanced([500, -200, -300]), true)", "assert.equal(balanced([500, -400]), false)"],
    does: "(lines) => lines.reduce((sum, cents) => sum + cents, 0) === 0",
    said: "A transaction whose lines don't add up to zero is rejected.",
    lies: "(lines) => lines.some((cents) => cents < 0)",
    lied: "Unbalanced transactions are rejected now, everything is green.",
  },
  {
    file: "balance",
    subject: "Look up an account's balance",
    blockers: [1],
    asks: [
      'assert.equal(balance([["cash", 5], ["rent", 7], ["cash", 2]], "cash"), 7)',
      'assert.equal(balance([["cash", 5]], "rent"), 0)',
    ],
    does: "(lines, name) => lines.reduce((sum, [own, cents]) => (own === name ? sum + cents : sum), 0)",
    said: "The balance adds up the lines of one account.",
    lies: "(lines, name) => lines.find(([own]) => own === name)?.[1] ?? 0",
    lied: "Balances are looked up. I ran the tests, they pass.",
  },
  {
    file: "jsonLines",
    subject: "Write the journal as JSON lines",
    blockers: [2],
    asks: [
      'assert.equal(jsonLines([{ a: 1 }, { b: 2 }]), `{"a":1}\\n{"b":2}\\n`)',
      'assert.equal(jsonLines([]), "")',
    ],
    does: '(entries) => entries.map((entry) => `${JSON.stringify(entry)}\\n`).join("")',
    said: "Each entry is a line, and the last one ends with a newline, too.",
    lies: '(entries) => entries.map((entry) => JSON.stringify(entry)).join("\\n")',
    lied: "The journal is written as JSON lines.",
  },
  {
    file: "statement",
    subject: "Print a statement for a month",
    blockers: [5, 6],
    asks: [
      'assert.equal(statement([["03", "rent"], ["04", "tea"]], "04"), "tea")',
      'assert.equal(statement([["03", "rent"]], "04"), "nothing booked")',
    ],
    does: '(all, month) => all.filter(([own]) => own === month).map(([, text]) => text).join("\\n") || "nothing booked"',
    said: "A statement has the entries of its month, or says that there are none.",
    lies: '(all) => all.map(([, text]) => text).join("\\n")',
    lied: "The statement prints the month.",
  },
  {
    file: "csv",
    subject: "Export statements as CSV",
    blockers: [7],
    asks: [
      'assert.equal(csv([["rent", "700"]]), "rent,700")',
      'assert.equal(csv([["tea, green", "3"]]), `"tea, green",3`)',
    ],
    does: '(rows) => rows.map((row) => row.map((cell) => (cell.includes(",") ? `"${cell}"` : cell)).join(",")).join("\\n")',
    said: "Cells with a comma are quoted.",
    lies: '(rows) => rows.map((row) => row.join(",")).join("\\n")',
    lied: "The CSV export works, all tests pass.",
  },
];

const source = (file, body) => `export const ${file} = ${body};\n`;
const taskTest = ({ file, subject, asks }) =>
  `import test from "node:test";\nimport assert from "node:assert/strict";\nimport { ${file} } from "../src/${file}.js";\n\n${asks
    .map((ask, index) => `test("${subject}${index === 0 ? "" : ", at its edges"}", () => ${ask});\n`)
    .join("")}`;

/**
 * `hangs`: the tasks that never end; `lies`: those whose agent lies first; `broken`: those that fail for good; `limited`: those that
 * meet a usage limit.
 * @param {import("./world.mjs").World} world
 * @param {string} name
 * @param {string} title
 * @param {{ hangs?: number[], lies?: number[], broken?: number[], limited?: number[], unchecked?: number[], wait?: boolean, count?: number }} [how]
 */
export async function plan(
  world,
  name,
  title,
  {
    hangs = [],
    lies = [],
    broken = [],
    limited = [],
    unchecked = [],
    wait = true,
    count = TASKS.length,
  } = {},
) {
  const tasks = TASKS.slice(0, count);
  const root = world.project(name, {
    "package.json": pkg(name),
    ...Object.fromEntries(tasks.map((each) => [`test/${each.file}.test.js`, taskTest(each)])),
    "src/.keep": "",
  });
  const id = (n) => `T-${String(n).padStart(3, "0")}`;
  world.write(world.folder, {
    [`${name}-plan.json`]: JSON.stringify({
      spec: title,
      tasks: tasks.map(({ file, subject, blockers }, index) => ({
        id: id(index + 1),
        subject,
        description: `${subject}, in src/${file}.js.`,
        ...(unchecked.includes(index + 1) ? {} : { verify: `node --test test/${file}.test.js` }),
        blockedBy: blockers.map(id),
        files: [`src/${file}.js`],
      })),
    }),
  });
  const works = ({ file, does, said }, n) =>
    turn(0.4 + n / 10, [{ write: `src/${file}.js`, text: source(file, does) }], claim(said));
  const lying = ({ file, lies: body, lied }) =>
    turn(0.3, [{ write: `src/${file}.js`, text: source(file, body) }], claim(lied));
  const scripts = Object.fromEntries(
    tasks.map((task, index) => {
      const n = index + 1;
      const begun = { write: `src/${task.file}.js`, text: source(task.file, task.lies) };
      if (hangs.includes(n)) return [id(n), [turn(0.2, [begun, { run: "npm run soak" }], claim(task.lied))]];
      if (limited.includes(n))
        return [id(n), [turn(0.2, [begun], undefined, { trouble: LIMIT }), works(task, n)]];
      if (broken.includes(n)) return [id(n), [lying(task), lying(task), lying(task), lying(task)]];
      return [id(n), lies.includes(n) ? [lying(task), works(task, n)] : [works(task, n)]];
    }),
  );
  const script = world.script(name, scripts);
  const file = join(world.folder, `${name}-plan.json`);
  const digest = createHash("sha256").update(readFileSync(file)).digest("hex");
  const args = [
    ...["run", "--plan", file, "--plan-digest", digest, "--agent", "rehearsal", "--script", script],
    ...["--budget", "80", "--parallel", "2", "--no-model"],
  ];
  if (!wait) {
    world.start(root, args);
    await sleep(200);
    return { root };
  }
  return { root, ...(await world.loop(root, args)) };
}

const LOGGED = "`ends in ${order.card.slice(-8)}`";
const paymentTest = (name, body) =>
  `import test from "node:test";\nimport assert from "node:assert/strict";\nimport { ${name} } from "../src/${name}.js";\n\n${body}`;

const found = (severity, file, quote, problem, more = {}) => ({
  severity,
  perspective: "correctness",
  file,
  quote,
  problem,
  breaks: null,
  command: null,
  fix: null,
  ...more,
});
const review = (score, ...findings) => [
  { say: JSON.stringify({ score, findings }), usd: 0.06, tokens: { input: 4_000, output: 300 } },
];

/**
 * Checks pass, and a reviewer finds what they don't look at: a blocker becomes a task, whose check had passed before.
 * `undecided`: the blocker is left to a person.
 * @param {import("./world.mjs").World} world
 * @param {{ undecided?: boolean, name?: string }} [how]
 */
async function reviewed(world, { undecided = false, name = "payments" } = {}) {
  const root = world.project(name, {
    "package.json": pkg(name),
    "test/charge.test.js": paymentTest(
      "charge",
      `test("a declined charge is tried once more", () => {\n  let tries = 0;\n  charge(() => { tries += 1; throw new Error("declined"); });\n  assert.equal(tries, 2);\n});\n`,
    ),
    "test/once.test.js": paymentTest(
      "once",
      `test("an order is charged once", () => {\n  let count = 0;\n  const work = once();\n  work("1", () => count++);\n  work("1", () => count++);\n  assert.equal(count, 1);\n});\n`,
    ),
    "test/refund.test.js": paymentTest(
      "refund",
      `test("in the original currency", () => assert.equal(refund({ currency: "EUR" }).currency, "EUR"));\n`,
    ),
    "test/logged.test.js": paymentTest(
      "logged",
      `const order = { id: 7, card: "4000056655665556" };\n\ntest("names the order", () => assert.match(logged(order), /order 7/));\ntest("has not all of the card", () => assert.doesNotMatch(logged(order), /4000056655665556/));\n`,
    ),
    "src/.keep": "",
  });
  const tasks = [
    ["charge", "Retry a declined charge once"],
    ["once", "Never charge an order twice"],
    ["refund", "Refund in the original currency"],
    ["logged", "Log provider calls without the card"],
  ].map(([file, subject], index) => ({
    id: `T-00${index + 1}`,
    subject,
    description: `${subject}, in src/${file}.js.`,
    verify: `node --test test/${file}.test.js`,
    blockedBy: index === 3 ? ["T-001"] : [],
    files: [`src/${file}.js`],
  }));
  world.write(world.folder, {
    [`${name}-plan.json`]: JSON.stringify({ spec: "Charges that survive a bad night", tasks }),
  });
  const logged = (card) =>
    `export function logged(order) {\n  const card = order.card === undefined ? "none" : ${card};\n  return \`order \${order.id}, card \${card}\`;\n}\n`;
  const works = (usd, file, text, say) => [turn(usd, [{ write: `src/${file}.js`, text }], claim(say))];
  const script = world.script(name, {
    "T-001": works(
      0.9,
      "charge",
      "export function charge(work) {\n  for (let left = 2; left > 0; left -= 1) {\n    try {\n      return work();\n    } catch {\n      continue;\n    }\n  }\n}\n",
      "A declined charge is tried once more.",
    ),
    "T-002": works(
      0.8,
      "once",
      "export function once() {\n  const begun = new Map();\n  return (order, work) => {\n    if (!begun.has(order)) begun.set(order, work());\n    return begun.get(order);\n  };\n}\n",
      "An order is charged once, however often somebody asks.",
    ),
    "T-003": works(
      0.5,
      "refund",
      "export const refund = ({ currency }) => ({ currency });\n",
      "Refunds keep their currency.",
    ),
    "T-004": works(0.7, "logged", logged(LOGGED), "Calls are logged with the order and the end of the card."),
    "R-1": works(0.6, "logged", logged(LOGGED.replace("-8", "-4")), "Only the last four digits are logged."),
    "light-review": review(8),
    "review-1": review(
      6,
      found(
        "BLOCKER",
        "src/logged.js",
        `const card = order.card === undefined ? "none" : ${LOGGED};`,
        "Eight of sixteen digits are logged. With the first six, which identify the bank, only two are left to guess.",
        { breaks: "T-004", fix: "Log the last four." },
      ),
      found(
        "WARNING",
        "src/once.js",
        "if (!begun.has(order)) begun.set(order, work());",
        "A charge that fails is not remembered, so two of them may run.",
        { fix: "Remember an order before its work begins." },
      ),
      found(
        "SUGGESTION",
        "src/charge.js",
        "} catch {",
        "The first error is thrown away; the log would want it.",
      ),
      found("WARNING", "src/invented.js", "eval(input)", "Input is evaluated."),
    ),
    "review-2": review(
      8,
      found(
        "WARNING",
        "src/once.js",
        "if (!begun.has(order)) begun.set(order, work());",
        "A charge that fails is not remembered, so two of them may run.",
      ),
    ),
  });
  const file = join(world.folder, `${name}-plan.json`);
  const digest = createHash("sha256").update(readFileSync(file)).digest("hex");
  const args = [
    ...["run", "--plan", file, "--plan-digest", digest, "--agent", "rehearsal", "--script", script],
    ...["--budget", "30", "--parallel", "2", ...(undecided ? ["--findings", "pause"] : [])],
  ];
  return { root, ...(await world.loop(root, args)) };
}

async function until(world, root, isSo, patience = 60_000) {
  for (const from = performance.now(); performance.now() - from < patience; await sleep(300)) {
    const { text } = await world.loop(root, ["status", "--all", "--json"]);
    try {
      const { loops } = JSON.parse(text);
      if (loops[0] !== undefined && isSo(loops[0])) return loops[0];
    } catch {
      // Nothing is there yet.
    }
  }
  throw new Error(`nothing came of it in ${root}`);
}

/** A copy of somebody else's loop, a damaged journal, and one of a newer program. */
async function broken(world) {
  await invoice(world);
  const own = join(world.folder, "code", "invoice");
  const copied = world.project("borrowed", { "package.json": pkg("borrowed") });
  cpSync(join(own, ".loop"), join(copied, ".loop"), { recursive: true });
  await world.loop(
    copied,
    run(
      "Say hello in hello.txt",
      world.script("hello", [turn(0.05, [{ write: "hello.txt", text: "hello\n" }], claim("Said."))]),
      "-c",
      "it says hello=grep hello hello.txt",
    ),
  );
  const damaged = world.project("damaged", { "package.json": pkg("damaged") });
  await world.loop(
    damaged,
    run(
      "Say hello in hello.txt",
      world.script("hello", [turn(0.05, [], "Later.")]),
      "-c",
      "it says hello=grep hello hello.txt",
      "--iterations",
      "1",
    ),
  );
  const [id] = readdirSync(join(damaged, ".loop", "loops"));
  mkdirSync(join(damaged, ".loop", "loops", id), { recursive: true });
  appendFileSync(
    join(damaged, ".loop", "loops", id, "journal.jsonl"),
    `{"follows":99,"after":"","events":[{"type":"loop.flown","v":1}]}\n`,
  );
}

const EVIL = `<script>window.pwned = 1</script><img src=x onerror="window.pwned = 2">\u202e\u2066\u001b[31mred\u001b]8;;http://evil.example\u0007`;
/** No line has a place to break it. */
const LONG = "w".repeat(400);
const EVIL_FILE = "<img src=x onerror=alert(1)>.js";
/** As a shell prints it. */
const EVIL_PRINTED = `printf '%s\\n' '<script>window.pwned = 3</script>'; printf '\\033[31mred\\033[0m \\342\\200\\256 \\033]0;title\\007\\n'`;

/** Text that would like to be more than text, wherever somebody else's words are shown. */
export async function hostile(world) {
  const root = world.project("<script>alert", { "package.json": pkg("evil"), [EVIL_FILE]: "1\n" });
  const script = world.script("hostile", [
    turn(
      0.01,
      [
        { write: "<b>bold.js", text: `${EVIL}\n` },
        { say: EVIL },
        { run: "head -c 10000000 /dev/zero | tr '\\0' 'x'" },
      ],
      claim(`Done. ${LONG} ${EVIL}`),
    ),
    turn(0.01, [{ run: `loop blocked --check '<i>evil</i>' '${LONG} ${EVIL.replaceAll("'", "")}'` }], EVIL),
  ]);
  const check = `${EVIL_PRINTED}; head -c 3000000 /dev/zero | tr '\\0' 'y'; exit 1`;
  const ran = await world.loop(
    root,
    run(
      `Say ${LONG} ${EVIL.replaceAll("\u001b", "")} in hello.txt`,
      script,
      "-c",
      `<i>evil</i>=${check}`,
      "--must-not",
      "path:<b>*</b>/**",
      "--iterations",
      "1",
    ),
  );
  await world.loop(root, ["tell", EVIL]);
  return ran;
}

/** The same in a plan, in its tasks, attempts and merges, and in what reviewers say. */
async function hostilePlan(world) {
  const root = world.project("<b>plan", { "package.json": pkg("evil-plan"), "src/.keep": "" });
  const plain = EVIL.replaceAll("\u001b", "").replaceAll("\u0007", "");
  // A quote is compared with the diff without what can't be seen.
  const [line] = EVIL.split("\u202e");
  world.write(world.folder, {
    "evil-plan.json": JSON.stringify({
      spec: `Survive ${plain}`,
      tasks: [
        {
          id: "T-001",
          subject: `Write ${plain}`,
          description: plain,
          verify: `test -f '${EVIL_FILE}' || { ${EVIL_PRINTED}; exit 1; }`,
          blockedBy: [],
          files: [EVIL_FILE, "src/**"],
        },
        {
          id: "T-002",
          subject: `Note ${plain}`,
          description: plain,
          blockedBy: ["T-001"],
          files: ["src/**"],
        },
      ],
    }),
  });
  const script = world.script("evil-plan", {
    "T-001": [
      turn(0.1, [{ say: EVIL }], claim(`Done. ${EVIL}`)),
      turn(0.1, [{ write: EVIL_FILE, text: `${line}\n` }], claim(`Now it is done. ${EVIL}`)),
    ],
    "T-002": [turn(0.1, [{ write: "src/notes.md", text: `${line}\n` }], claim(EVIL))],
    "R-1": [turn(0.1, [{ write: "src/notes.md", text: "calm\n" }], claim(EVIL))],
    "light-review": review(7, found("SUGGESTION", "src/notes.md", line, EVIL)),
    "review-1": review(
      4,
      found("BLOCKER", "src/notes.md", line, EVIL, { breaks: "T-002", fix: EVIL }),
      found("WARNING", EVIL_FILE, line, EVIL),
      found("WARNING", `${EVIL_FILE}.not`, EVIL, EVIL),
    ),
    "review-2": review(8),
  });
  const file = join(world.folder, "evil-plan.json");
  const digest = createHash("sha256").update(readFileSync(file)).digest("hex");
  return world.loop(root, [
    ...["run", "--plan", file, "--plan-digest", digest, "--agent", "rehearsal", "--script", script],
    ...["--budget", "9", "--parallel", "1"],
  ]);
}

/** What is recorded for later programs to show: an end of every kind, and a plan whose reviewer found something. */
export async function everyEnding(world) {
  await Promise.all([cornerShop(world), authService(world).then(async () => invoice(world))]);
  await Promise.all([tinyparse(world), docsSite(world).then(async () => notesApp(world))]);
  await Promise.all([cliTools(world), mobileSync(world)]);
  await plan(world, "ledger", "A double-entry ledger", { lies: [2], unchecked: [3], broken: [4], count: 4 });
  await reviewed(world);
  await hostilePlan(world);
}

/** Its tests are satisfied by a special case, which tests that no agent saw tell the gate. */
async function checkout(world) {
  const name = "checkout";
  const root = world.project(name, {
    "package.json": pkg(name),
    "src/cart.js": CART,
    "test/cart.test.js": cartTest(CASES),
    "test/receipt.test.js": `import test from "node:test";\nimport assert from "node:assert/strict";\nimport { receipt } from "../src/receipt.js";\n\ntest("a line each", () => assert.equal(receipt([{ name: "Tea", quantity: 2 }, { name: "Milk", quantity: 1 }]), "2 Tea\\n1 Milk"));\ntest("nothing bought", () => assert.equal(receipt([]), ""));\n`,
  });
  const held = join(world.folder, "held-checkout");
  world.write(held, {
    "test/cart-others.test.js": cartTest([["other carts", "[{ price: 200, quantity: 1 }]", 180]]),
  });
  world.write(world.folder, {
    [`${name}-plan.json`]: JSON.stringify({
      spec: "Orders of 100 or more get 10% off, and each order has a receipt",
      tasks: [
        {
          id: "T-001",
          subject: "Count quantities and the discount",
          description: "total() in src/cart.js multiplies by the quantity; 10% off from 100 on.",
          verify: "node --test test/cart*.test.js",
          files: ["src/cart.js"],
        },
        {
          id: "T-002",
          subject: "Print a receipt",
          description: "receipt() in src/receipt.js: a line for each item.",
          verify: "node --test test/receipt.test.js",
          blockedBy: ["T-001"],
          files: ["src/receipt.js"],
        },
      ],
    }),
  });
  const receipt =
    'export const receipt = (items) => items.map(({ name, quantity }) => `${quantity} ${name}`).join("\\n");\n';
  const script = world.script(name, {
    "T-001": [
      turn(0.7, [QUANTITY, OVERFIT], claim("Quantities count, and orders of 100 or more get 10% off.")),
    ],
    "T-002": [turn(0.4, [{ write: "src/receipt.js", text: receipt }], claim("A line for each item."))],
    "R-1": [turn(0.3, [], claim("The discount works, I checked it again."))],
    "R-2": [
      turn(
        0.2,
        [{ run: "loop blocked 'Only a test that I cannot see fails. Which orders does it try?'" }],
        "I can't go on without knowing what it tries.",
      ),
    ],
    "light-review": review(9),
    "thorough-review": review(9),
  });
  const file = join(world.folder, `${name}-plan.json`);
  const digest = createHash("sha256").update(readFileSync(file)).digest("hex");
  return world.loop(root, [
    ...["run", "--plan", file, "--plan-digest", digest, "--agent", "rehearsal", "--script", script],
    ...["--budget", "20", "--parallel", "2", "--holdout-from", held],
  ]);
}

/** Honest work that is done at once. */
async function honest(world, name, { spec, before, tests, after, said, usd }) {
  const [file, text] = before;
  const root = world.project(name, {
    "package.json": pkg(name),
    [file]: text,
    [`test/${name}.test.js`]: `import test from "node:test";\nimport assert from "node:assert/strict";\n${tests}`,
  });
  const script = world.script(name, [turn(usd, [{ write: file, text: after }], claim(said))]);
  return world.loop(root, run(`${spec}, until npm test passes`, script, ...TESTS, "--budget", "3"));
}

const slugs = async (world) =>
  honest(world, "slugs", {
    spec: "Make slugs of titles in src/slug.js",
    before: ["src/slug.js", "export const slug = (title) => title;\n"],
    tests: `import { slug } from "../src/slug.js";\n\ntest("lower case", () => assert.equal(slug("Hello"), "hello"));\ntest("dashes", () => assert.equal(slug("Hello big World"), "hello-big-world"));\ntest("no others", () => assert.equal(slug("What? Now!"), "what-now"));\n`,
    after: 'export const slug = (title) => (title.toLowerCase().match(/[a-z0-9]+/g) ?? []).join("-");\n',
    said: "Titles become slugs.",
    usd: 0.18,
  });

const pager = async (world) =>
  honest(world, "pager", {
    spec: "Cut lists into pages in src/pages.js, the last one may be shorter",
    before: ["src/pages.js", "export const pages = (items) => [items];\n"],
    tests: `import { pages } from "../src/pages.js";\n\ntest("full pages", () => assert.deepEqual(pages([1, 2, 3, 4], 2), [[1, 2], [3, 4]]));\ntest("a shorter last one", () => assert.deepEqual(pages([1, 2, 3], 2), [[1, 2], [3]]));\ntest("none of nothing", () => assert.deepEqual(pages([], 2), []));\n`,
    after:
      "export const pages = (items, size) =>\n  Array.from({ length: Math.ceil(items.length / size) }, (_, page) => items.slice(page * size, (page + 1) * size));\n",
    said: "Lists are cut into pages; an empty list has none.",
    usd: 0.24,
  });

export const NIGHTS = {
  calm: async (world) => {
    await Promise.all([slugs(world), cornerShop(world)]);
    await plan(world, "ledger", "A double-entry ledger that survives a crash", { lies: [3], count: 6 });
    await pager(world);
  },
  asking: async (world) => {
    await Promise.all([docsSite(world), notesApp(world).then(async () => slugs(world))]);
    await Promise.all([reviewed(world), invoice(world)]);
    await ratelimit(world);
  },
  halfway: async (world) => {
    await slugs(world);
    const { root } = await plan(world, "ledger", "A double-entry ledger that survives a crash", {
      ...{ lies: [5], broken: [4], limited: [7], wait: false },
    });
    await until(world, root, (loop) => (loop.workflow?.waits.length ?? 0) > 0, 300_000);
    await ratelimit(world);
  },
  bad: async (world) => {
    await Promise.all([tinyparse(world), docsSite(world)]);
    await Promise.all([cornerShop(world, "web-shop", "--iterations", "4"), authService(world)]);
    await broken(world);
    await cliTools(world);
  },
  money: async (world) => {
    await Promise.all([tinyparse(world), slugs(world)]);
  },
  gate: async (world) => {
    await checkout(world);
    await ratelimit(world);
  },
  weak: async (world) => {
    await Promise.all([docsSite(world), notesApp(world)]);
    await Promise.all([
      reviewed(world),
      plan(world, "catalog", "A catalog without doubles", { unchecked: [2], count: 3 }),
    ]);
    await Promise.all([slugs(world), imageCache(world)]);
  },
  mixed: async (world) => {
    await Promise.all([cornerShop(world), authService(world).then(async () => invoice(world))]);
    await Promise.all([tinyparse(world), searchIndex(world).then(async () => mobileSync(world))]);
    await Promise.all([docsSite(world), notesApp(world).then(async () => cliTools(world))]);
    await plan(world, "ledger", "A double-entry ledger that survives a crash", {
      hangs: [7],
      lies: [5],
      wait: false,
    });
    await Promise.all([ratelimit(world), imageCache(world)]);
    await until(
      world,
      join(world.folder, "code", "ledger"),
      (loop) => loop.workflow?.counts.done === 6,
      180_000,
    );
  },
  quiet: async (world) => {
    await Promise.all([cornerShop(world), docsSite(world)]);
    await ratelimit(world);
  },
  plans: async (world) => {
    await Promise.all([
      plan(world, "ledger", "A double-entry ledger that survives a crash", {
        lies: [3],
        unchecked: [2],
        count: 5,
      }),
      plan(world, "catalog", "A catalog without doubles", { broken: [2], count: 3 }),
    ]);
    await reviewed(world);
    await plan(world, "orders", "Orders that are never lost", {
      hangs: [4, 5],
      lies: [1],
      wait: false,
      count: 8,
    });
    await until(
      world,
      join(world.folder, "code", "orders"),
      (loop) => loop.workflow?.counts.done >= 3,
      120_000,
    );
  },
  broken: async (world) => {
    await broken(world);
    await hostile(world);
    await cliTools(world);
  },
};
