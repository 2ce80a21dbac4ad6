import type { Work } from "./work.ts";
import { work } from "./work.ts";

const TEST = `import assert from "node:assert";\nimport { test } from "node:test";\n`;

const total = {
  spec: "Write total() in src/cart.js: the sum of price times quantity. A return has a negative quantity and is subtracted.",
  criteria: ["returns are subtracted"],
  file: "cart.js",
  test: `${TEST}import { total } from "../src/cart.js";
test("several", () => assert.equal(total([{ price: 2, quantity: 3 }, { price: 6, quantity: 1 }]), 12));
`,
  begins: "export const total = () => 0;\n",
};
const totalWith = (line: string): string =>
  `export function total(items) {\n  let sum = 0;\n  for (const { price, quantity } of items) {\n    ${line}\n  }\n  return sum;\n}\n`;

const ranking = {
  spec: "Write ranking() in src/ranking.js: the players, most points first. It must not change the list that it is given.",
  criteria: ["the list that is given stays as it is"],
  file: "ranking.js",
  test: `${TEST}import { ranking } from "../src/ranking.js";
test("sorts", () => assert.deepEqual(ranking([{ points: 1 }, { points: 3 }]), [{ points: 3 }, { points: 1 }]));
`,
  begins: "export const ranking = () => [];\n",
};
const rankingWith = (body: string): string => `export function ranking(players) {\n  return ${body};\n}\n`;

const notes = {
  spec: "Write pathOf() in src/notes.js: where a note is kept, below the folder. A name from a request must never lead out of the folder.",
  criteria: ["no name leads out of the folder"],
  file: "notes.js",
  test: `${TEST}import { pathOf } from "../src/notes.js";
test("below the folder", () => assert.equal(pathOf("/notes", "milk"), "/notes/milk.md"));
`,
  begins: "export const pathOf = () => null;\n",
};

/** Each passes its tests, and breaks what its spec says. */
export const FLAWED: readonly Work[] = [
  work({
    ...total,
    name: "returns are lost",
    ends: totalWith("if (quantity > 0) sum += price * quantity;"),
    defect: {
      quote: "if (quantity > 0) sum += price * quantity;",
      problem: "A return, such as a quantity of -1, is left out instead of subtracted.",
    },
  }),
  work({
    ...ranking,
    name: "the caller's list is sorted",
    ends: rankingWith("players.sort((one, other) => other.points - one.points)"),
    defect: {
      quote: "return players.sort((one, other) => other.points - one.points);",
      problem: "sort() changes the list that the caller passed.",
    },
  }),
  work({
    ...notes,
    name: "a path leads outside",
    ends: 'import { join } from "node:path";\nexport function pathOf(folder, name) {\n  return join(folder, `${name}.md`);\n}\n',
    defect: {
      quote: "return join(folder, `${name}.md`);",
      problem: "The name ../../etc/motd leads out of the folder.",
    },
  }),
  work({
    name: "a failure is swallowed",
    spec: "Write save() in src/save.js: it writes the text with the function that it is given. A failed write must reach the caller.",
    criteria: ["a failed write reaches the caller"],
    file: "save.js",
    test: `${TEST}import { save } from "../src/save.js";
test("writes", async () => {
  const written = [];
  await save(async (text) => written.push(text), "milk");
  assert.deepEqual(written, ["milk"]);
});
`,
    begins: "export async function save() {}\n",
    ends: "export async function save(write, text) {\n  await write(text).catch(() => {});\n}\n",
    defect: {
      quote: "await write(text).catch(() => {});",
      problem: "A write that fails looks to the caller like one that worked.",
    },
  }),
  work({
    name: "a password is logged",
    spec: "Write login() in src/login.js: it logs one line for each try and says whether the password fits. A password must never be logged.",
    criteria: ["no password is logged"],
    file: "login.js",
    test: `${TEST}import { login } from "../src/login.js";
test("fits", () => {
  const lines = [];
  assert.equal(login({ name: "ann", password: "x" }, "x", (line) => lines.push(line)), true);
  assert.equal(lines.length, 1);
});
`,
    begins: "export const login = () => false;\n",
    ends: "export function login(user, password, log) {\n  log(`login ${JSON.stringify(user)}`);\n  return user.password === password;\n}\n",
    defect: {
      quote: "log(`login ${JSON.stringify(user)}`);",
      problem: "The user's password is a field of what is logged.",
    },
  }),
];

/** The same tasks, done right; the last one looks as if it weren't. */
export const SOUND: readonly Work[] = [
  work({
    ...total,
    name: "total, done right",
    ends: totalWith("sum += price * quantity;"),
    defect: null,
  }),
  work({
    ...ranking,
    name: "ranking, done right",
    ends: rankingWith("players.toSorted((one, other) => other.points - one.points)"),
    defect: null,
  }),
  work({
    ...notes,
    name: "notes, done right",
    ends: 'import { basename, join } from "node:path";\nexport function pathOf(folder, name) {\n  return join(folder, `${basename(name)}.md`);\n}\n',
    defect: null,
  }),
];

/** The first sound work with a test that the first flawed one fails, as the task of a blocker asks for. */
export const REMEDIED: Work["after"] = {
  ...SOUND[0]?.after,
  "test/returns.test.js": `${TEST}import { total } from "../src/cart.js";
test("a return", () => assert.equal(total([{ price: 2, quantity: -1 }]), -2));
`,
};
