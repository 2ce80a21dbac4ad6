import { copyFileSync, mkdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { setLimits } from "../src/engine/opening/limits.ts";
import type { PlainLoop } from "../src/engine/opening/asked-loop.ts";
import { openAndLook } from "../src/engine/opening/open-loop.ts";
import { createMachine } from "../src/storage/loops/machine.ts";
import { DONE } from "./support/driven.ts";
import { oneOf, someOf } from "./support/effort.ts";
import { sessionId } from "./support/loop-builders.ts";
import { FIX, PlayedTask, SHELL_CHECK, SHELL_PROJECT, SPEC } from "./support/played-task.ts";
import { heldReason } from "./support/sandbox.ts";
import { variant } from "./support/variant.ts";

const S = "honest";
const TESTS = "test/total.test.js";
const VERIFIED = { phase: "completed", confidence: "verified", why: "" };
const COULD_NOT = "the original tests could not run with the current work";

/** A test of what nobody tested before. */
function testOf(name: string): string {
  return `test(${JSON.stringify(name)}, () => assert.equal(total([5]), 5));`;
}

const NEW_TESTS = `import { test } from "node:test"; import assert from "node:assert";
import { total } from "../src/total.js";
${testOf("one")}`;

interface Ending {
  readonly name: string;
  readonly agent: string;
  readonly files?: { readonly [path: string]: string };
  readonly check?: string;
  /** What a person would agree that it is not sure about; verified without it. */
  readonly weak?: string;
  /** Proofs that were shown, beyond the counts and the names of files. */
  readonly proofs: readonly string[];
}

const ENDINGS: readonly Ending[] = [
  { name: "the bug is fixed", agent: FIX, proofs: ["repeat stands"] },
  {
    name: "the check writes a log that is different each time",
    check: "tests pass=node --test test/ && date +%N > last-run.log",
    agent: FIX,
    proofs: ["repeat stands"],
  },
  {
    name: "the check rewrites a cache that was there before and that nothing ignores",
    files: { ".runner.result.cache": "1\n" },
    check: "tests pass=node --test test/ && date +%N > .runner.result.cache",
    agent: FIX,
    proofs: ["repeat stands"],
  },
  {
    name: "the bug is fixed that a shell script tests",
    files: SHELL_PROJECT,
    check: SHELL_CHECK,
    agent: "sed -i 's/IIII/IV/' roman.sh",
    proofs: ["repeat stands"],
  },
  {
    name: "with tests in a new file",
    agent: `${FIX}\ncat > test/more.test.js <<'END'\n${NEW_TESTS}\nEND`,
    proofs: ["judge stands", "repeat stands"],
  },
  {
    name: "with tests in an existing file",
    agent: `${FIX}\necho '${testOf("one")}' >> ${TESTS}`,
    proofs: ["judge stands", "repeat stands"],
  },
  {
    name: "a test gets another name",
    agent: `${FIX}\nsed -i 's/"sums"/"adds all items"/' ${TESTS}`,
    proofs: ["judge stands", "repeat stands"],
  },
  {
    name: "a test file is split",
    agent: `${FIX}\n(head -3 ${TESTS}; grep '"empty"' ${TESTS}) > test/empty.test.js; sed -i '/"empty"/d' ${TESTS}`,
    proofs: ["judge stands", "repeat stands"],
  },
  {
    name: "a module is new, and so are its tests",
    files: {
      "src/total.js": "export const total = (items) => items.reduce((sum, item) => sum + item, 0);\n",
    },
    agent: `echo 'export const total = (items) => items[0];' > src/price.js
cat > test/price.test.js <<'END'\n${NEW_TESTS.replace("total.js", "price.js")}\nEND`,
    proofs: ["judge stands", "repeat stands", "faults stands"],
  },
  {
    name: "data is changed that the spec names, and a script checks it",
    files: {
      "look.mjs": `import { readFileSync } from "node:fs"; if (readFileSync("src/total.js", "utf8").includes("length")) process.exit(1);`,
    },
    check: "sums=node look.mjs",
    agent: FIX,
    proofs: ["repeat stands"],
  },
  {
    name: "a harness ends a plain script",
    files: {
      "look.mjs": `import { check, finish } from "./harness.mjs"; import { total } from "./src/total.js";
check(total([1, 2]), 3);
finish();
`,
      "harness.mjs": `let bad = 0;
export const check = (one, other) => { if (one !== other) bad += 1; };
export const finish = () => process.exit(bad > 0 ? 1 : 0);
`,
    },
    check: "sums=node look.mjs",
    agent: FIX,
    proofs: ["repeat stands"],
  },
  {
    name: "a script runs another one",
    files: {
      "run.sh": "set -e\necho looking\nnode look.mjs\n",
      "look.mjs": `import { total } from "./src/total.js";
(async () => { if (total([1, 2]) !== 3) throw new Error("wrong"); })().catch(() => process.exit(1));
`,
    },
    check: "sums=sh run.sh",
    agent: FIX,
    proofs: ["repeat stands"],
  },
  {
    name: "the code in a command looks at it",
    check: `sums=node -e 'import("./src/total.js").then(({ total }) => { if (total([1, 2]) !== 3) process.exit(1); })'`,
    agent: FIX,
    proofs: ["repeat stands"],
  },
  {
    name: "functions are fixed that a shell script reads in",
    files: {
      "sum.sh": "sum() { echo $#; }\n",
      "look.sh": `. ./sum.sh\nfailed=0\n[ "$(sum 1 2)" = 3 ] || failed=1\nexit $failed\n`,
    },
    check: "sums=sh look.sh",
    agent: `echo 'sum() { echo $(($1 + $2)); }' > sum.sh`,
    proofs: ["repeat stands"],
  },
  {
    name: "a plain script in Perl compares in a loop",
    files: {
      "Total.pm": "package Total;\nsub total { return scalar @_ }\n1;\n",
      "look.pl": `use lib '.'; use Total;
my $failed = 0;
for my $case ([[1, 2], 3], [[4, 5], 9]) {
  my ($items, $want) = @$case;
  if (Total::total(@$items) != $want) { print "want $want\\n"; $failed++; }
}
exit($failed ? 1 : 0);
`,
    },
    check: "sums=perl look.pl",
    agent: `sed -i 's/return scalar @_/my $sum = 0; $sum += $_ for @_; return $sum/' Total.pm`,
    proofs: ["repeat stands"],
  },
  {
    name: "a test file only asserts",
    files: {
      [TESTS]: `import assert from "node:assert"; import { total } from "../src/total.js";
assert.equal(total([1, 2]), 3);
`,
    },
    agent: FIX,
    proofs: ["repeat stands", "faults stands"],
  },
  {
    name: "a module of a package has the name of one of Python's own",
    files: {
      "cart/__init__.py": "",
      "cart/sums.py": "def total(items):\n    return len(items)\n",
      "look.py": "from cart.sums import total\nassert total([1, 2]) == 3\n",
    },
    check: "sums=python3 look.py",
    agent: `echo 'start = 0' > cart/statistics.py
printf 'from .statistics import start\\ndef total(items):\\n    return sum(items, start)\\n' > cart/sums.py`,
    proofs: ["repeat stands"],
  },
  {
    name: "only tests with some names are run",
    check: "tests pass=node --test --test-name-pattern=sums",
    agent: FIX,
    proofs: ["repeat stands"],
  },
  {
    name: "a module is written that was missing",
    files: {
      "test/price.test.js": NEW_TESTS.replace("total.js", "price.js"),
      [TESTS]: "",
      "src/total.js": "",
    },
    agent: "echo 'export const total = (items) => items[0];' > src/price.js",
    proofs: ["repeat stands", "faults stands"],
  },
  {
    name: "files move with their imports",
    agent: `mkdir src/cart; ${FIX}\nmv src/total.js src/cart/total.js; sed -i 's#src/total.js#src/cart/total.js#' ${TESTS}`,
    weak: COULD_NOT,
    proofs: ["judge open", "repeat stands"],
  },
  {
    name: "what package.json says besides its scripts changes, too",
    check: "tests pass=npm test --silent",
    agent: `${FIX}
node -e 'const fs = require("fs"); const p = JSON.parse(fs.readFileSync("package.json"));
fs.writeFileSync("package.json", JSON.stringify({ ...p, version: "2.0.0", dependencies: {} }))'`,
    proofs: ["repeat stands"],
  },
  {
    name: "a refactoring is green before and after",
    files: {
      "src/total.js": "export const total = (items) => items.reduce((sum, item) => sum + item, 0);\n",
    },
    agent: `cat > src/total.js <<'END'
export function total(items) { let sum = 0; for (const item of items) sum += item; return sum; }
END`,
    proofs: ["repeat stands", "faults stands"],
  },
];

function proofsOf(task: PlayedTask): readonly string[] {
  const shown = task.eventsOf("proof.shown").map(({ proof }) => proof);
  return shown
    .filter(({ kind }) => kind !== "counts" && kind !== "causes")
    .map(({ kind, result }) => `${kind} ${result}`);
}

describe("a loop that is run", () => {
  test.each(someOf(ENDINGS, 1, 6))("is completed where $name", ({ agent, files, check, weak, proofs }) => {
    const task = new PlayedTask(files);
    task.check = check ?? "tests pass=node --test";
    task.play(agent);

    const confidence = weak === undefined ? "verified" : "weak";
    expect(task.ended()).toMatchObject({ phase: "completed", confidence });
    expect(task.ended().why).toContain(weak ?? "");
    expect(proofsOf(task)).toEqual(proofs);
    expect(task.eventsOf("iteration.held")).toEqual([]);
  });

  test("tests move with what they are about, as the spec asks", () => {
    const task = new PlayedTask({
      "src/total.js": "export const total = (items) => items.reduce((sum, item) => sum + item, 0);\n",
      [TESTS]: "",
      "src/total.test.js": NEW_TESTS.replace("../src/", "./"),
    });
    const agent = task.agent("mkdir src/cart; mv src/total.js src/total.test.js src/cart/");
    const spec = "Move src/total.js into the folder src/cart/, with its tests";
    task.loop("run", spec, "-c", "tests pass=node --test src/", "--agent", "command", "--command", agent);

    expect(task.ended()).toMatchObject(VERIFIED);
  });

  test("tests that only call what they are about are told from those that look at it", () => {
    const files = {
      "src/total.js": `export function total(items) {
  if (items.length === 0) throw new RangeError("none");
  const first = items[0] * 2;
  return first + items[1] * 3;
}
`,
      [TESTS]: "",
    };
    const ended = (test: string): string => {
      const task = new PlayedTask(files);
      const text = NEW_TESTS.slice(0, NEW_TESTS.lastIndexOf("\n") + 1) + test;
      const agent = task.agent(`cat > test/more.test.js <<'END'\n${text}\nEND`);
      const spec = "Write tests for total() in src/total.js";
      task.loop(
        "run",
        spec,
        "-c",
        "tests pass=node --test && test -e test/more.test.js",
        "--agent",
        "command",
        "--command",
        agent,
      );
      return String(task.ended().confidence);
    };
    expect(ended(`test("is", () => assert.equal(total([1, 2]), 8));`)).toBe("verified");
    expect(ended(`test("is", () => assert.equal(typeof total([1, 2]), "number"));`)).toBe("weak");
  });

  variant("tests that are asked for may be in a script that nobody knows as one", () => {
    const look = (more: string): string =>
      `import { total } from "./src/total.js";\nif (total([]) !== 0) process.exit(1);\n${more}`;
    const task = new PlayedTask({
      "src/total.js": "export const total = (items) => items.reduce((sum, item) => sum + item, 0);\n",
      "look.mjs": look(""),
    });
    const agent = task.agent(
      `cat > look.mjs <<'END'\n${look("if (total([1, 2]) !== 3) process.exit(1);\n")}END`,
    );
    const check = "looks=grep -q 1, look.mjs && node look.mjs";
    task.loop(
      "run",
      "Write the missing tests of total()",
      "-c",
      check,
      "--agent",
      "command",
      "--command",
      agent,
    );
    expect(task.ended().why ?? "").not.toContain("as at the opening");
    expect(task.ended().phase).toBe("completed");
  });

  test("a test is deleted, the agent is held, restores it and fixes the source", () => {
    const task = new PlayedTask();
    task.check = "tests pass=node --test";
    task.play(
      `if [ ! -e "$HOME/told" ]; then touch "$HOME/told"; rm ${TESTS}; else git checkout -q ${TESTS}; ${FIX}\nfi`,
    );

    expect(task.shown().join("\n")).toContain(`${TESTS} (removed)`);
    expect(task.ended()).toMatchObject(VERIFIED);
    expect(task.eventsOf("turn.launched")).toHaveLength(2);
  });

  test("a question after changed tests is answered, not approved, and what a resumed run checks first is no iteration", () => {
    const task = new PlayedTask();
    task.check = "tests pass=node --test";
    task.play(
      `case $(cat "$HOME/turn" 2>/dev/null) in
1) git checkout -q ${TESTS}; echo 2 > "$HOME/turn"; printf '%s\\n' ---LOOP_STATUS--- 'BLOCKED: which?' ---END_STATUS---;;
2) ${FIX}
;;
*) echo 1 > "$HOME/turn"; sed -i 's/, 3)/, 4)/; s/, 0)/, 4)/' ${TESTS}; echo 'export const total = () => 4;' > src/total.js;;
esac`,
    );
    expect(task.loop("status").out).toContain('next: loop continue --say "YOUR ANSWER"');
    task.loop("continue", "--say", "the first");
    expect(task.ended()).toMatchObject(VERIFIED);
    const rows = task.loop("export", "--format", "md").out.match(/^\| (?:\d+|then) \|/gm);
    expect(rows).toEqual(["| 1 |", "| 2 |", "| 3 |"]);
  });

  test("a test that the agent changed is approved by a person, and the loop completes", () => {
    const task = new PlayedTask();
    task.check = "tests pass=node --test";
    task.play(`echo 'export const total = () => 4;' > src/total.js
sed -i 's/, 3)/, 4)/; s/, 0)/, 4)/' ${TESTS}`);
    expect(task.ended()).toMatchObject({ phase: "paused", reason: "blocked" });

    const turns = task.eventsOf("turn.launched").length;
    const approved = task.loop("approve", "--yes");
    expect(approved.code).toBe(0);
    expect(approved.out).toMatch(
      new RegExp(`changed +${TESTS}\\n(?:.*\\n)*? *- .*, 3\\).*\\n(?:.*\\n)*? *\\+ .*, 4\\)`),
    );
    task.loop("continue");
    expect(task.ended()).toMatchObject(VERIFIED);
    // Every check passed: nobody was paid for another turn.
    expect(task.eventsOf("turn.launched")).toHaveLength(turns);
  });

  test.each(
    oneOf([
      ["sh bin/check.sh", "mkdir bin; echo 'node --check src/total.js && node --test' > bin/check.sh"],
      [
        "npm run --silent verify",
        `node -e 'const fs = require("fs"); const p = JSON.parse(fs.readFileSync("package.json"));
p.scripts.verify = "node --test"; fs.writeFileSync("package.json", JSON.stringify(p))'`,
      ],
    ]),
  )("a check that is to come is written, and notices the work: %s", (command, write) => {
    const task = new PlayedTask();
    task.check = `mine=${command}`;
    task.play(`${FIX}\n${write}`, "--not-yet", "mine");
    expect(task.ended()).toMatchObject(VERIFIED);
    expect(proofsOf(task)).toEqual(expect.arrayContaining(["repeat stands", "faults stands"]));
  });

  variant("one that notices nothing is weak", () => {
    const task = new PlayedTask();
    task.check = "mine=sh bin/check.sh";
    task.play(`${FIX}\nmkdir -p bin; echo true > bin/check.sh`, "--not-yet", "mine");
    expect(task.ended()).toMatchObject({ phase: "completed", confidence: "weak" });
    expect(task.ended().why).toContain('"mine" also passes without the work');
  });

  variant("work inside a submodule is not compared, which is said", () => {
    const task = new PlayedTask({
      "look.mjs": `import { sum } from "./sums/sum.mjs"; if (sum(1, 2) !== 3) process.exit(1);`,
    });
    const other = join(task.home, "sums");
    task.act(`mkdir ${other}; cd ${other}; git init -q; echo 'export const sum = () => 0;' > sum.mjs
git add .; git -c user.name=a -c user.email=a@example.invalid commit -qm sums`);
    task.git("-c", "protocol.file.allow=always", "submodule", "--quiet", "add", other, "sums");
    task.git("commit", "-qm", "With a submodule");
    task.check = "sums=node look.mjs";
    task.play("echo 'export const sum = (a, b) => a + b;' > sums/sum.mjs");

    expect(task.ended()).toMatchObject({ phase: "completed", confidence: "weak" });
    expect(task.ended().why).toContain("work inside a submodule (sums) isn't compared with the opening");
  });

  variant("a project without git has its opening copied", () => {
    const task = new PlayedTask();
    rmSync(join(task.root, ".git"), { recursive: true });
    task.check = "tests pass=node --test";
    task.play(`${FIX}\necho '${testOf("one")}' >> ${TESTS}`);

    expect(task.ended()).toMatchObject(VERIFIED);
    expect(proofsOf(task)).toEqual(["judge stands", "repeat stands"]);
  });
});

describe("a session that is held by the hook", () => {
  function opened(): PlayedTask {
    const task = new PlayedTask();
    task.start(S, SPEC, "-c", "tests pass=node --test");
    return task;
  }

  function stop(task: PlayedTask): string {
    return task.stop(S, { last_assistant_message: DONE }).out;
  }

  variant("nobody but the agent looked before the work: faults in it are noticed", () => {
    const task = new PlayedTask();
    task.agentLoop(S, "start", SPEC, "-c", "tests pass=node --test");
    task.act(FIX);

    expect(stop(task)).toContain("✓ done");
    expect(task.ended()).toMatchObject(VERIFIED);
    expect(proofsOf(task)).toEqual(["repeat stands", "faults stands"]);
  });

  variant("a nested loop is judged by its own opening", () => {
    const task = opened();
    task.act(`echo '${testOf("one")}' >> ${TESTS}`);
    task.start(S, "Write the notes", "--nested", "-c", "notes=test -s notes.txt");
    task.act("echo notes > notes.txt");
    heldReason(task.stop(S, { last_assistant_message: DONE }));
    expect(task.only().depth).toBe(1);

    task.act(FIX);
    expect(stop(task)).toContain("✓ done");
    expect(task.ended()).toMatchObject(VERIFIED);
  });

  variant("a criterion that a person adds later has an opening of its own", () => {
    const task = opened();
    task.write({ "test/price.test.js": NEW_TESTS });
    expect(task.loop("criteria", "add", "prices", "--check", "node --test test/price.test.js").code).toBe(0);
    task.act(FIX);

    expect(stop(task)).toContain("✓ done");
    expect(task.ended()).toMatchObject(VERIFIED);
  });
});

describe("a loop that is opened with more than flags can say", () => {
  function asked(more: Partial<PlainLoop>): PlainLoop {
    const command = { kind: "shell", line: "node --test" } as const;
    return {
      kind: "plain",
      spec: SPEC,
      criteria: [{ name: "tests pass", check: { command, timeoutMs: 30_000, passEnv: [] } }],
      steps: [],
      mustNots: [],
      protects: [],
      exitRule: "criteria",
      mode: "loop",
      shape: "tool",
      limits: setLimits({}, {}, null),
      proof: "standard",
      proofBudgetMs: null,
      mayChange: [],
      binding: { session: sessionId(S), host: "claude-code" },
      ...more,
    };
  }

  variant("tests that the user lets change have to notice the work", async () => {
    const task = new PlayedTask();
    await openAndLook(createMachine(task.env, task.root), asked({ mayChange: ["test/**"] }));
    task.act(`echo 'export const total = () => 4;' > src/total.js
sed -i 's/, 3)/, 4)/; s/, 0)/, 4)/' ${TESTS}`);

    expect(task.stop(S, { last_assistant_message: DONE }).out).toContain("✓ done");
    expect(task.ended()).toMatchObject(VERIFIED);
    expect(proofsOf(task)).toEqual(["repeat stands", "faults stands"]);
  });

  variant("those that do not are weak", async () => {
    const task = new PlayedTask();
    await openAndLook(createMachine(task.env, task.root), asked({ mayChange: ["test/**"] }));
    task.act(`sed -i 's/, 3)/, 2)/' ${TESTS}; echo '// better' >> src/total.js`);

    task.stop(S, { last_assistant_message: DONE });
    expect(task.ended()).toMatchObject({ phase: "completed", confidence: "weak" });
    expect(task.ended().why).toContain('"tests pass" also passes without the work');
  });

  variant("in a linked worktree", async () => {
    const task = new PlayedTask();
    const path = join(task.home, "worktree");
    task.git("worktree", "add", "--quiet", "--detach", path);
    const worktree = realpathSync(path);
    await openAndLook(createMachine(task.env, task.root), asked({ work: { worktree, folder: "" } }));
    task.act(`cd ${worktree}; ${FIX}\necho '${testOf("one")}' >> ${TESTS}`);

    expect(task.stop(S, { last_assistant_message: DONE, cwd: worktree }).out).toContain("✓ done");
    expect(task.ended()).toMatchObject(VERIFIED);
    expect(proofsOf(task)).toEqual(["judge stands", "repeat stands"]);
  });

  variant("in a folder below the root", async () => {
    const task = new PlayedTask();
    task.act("mkdir -p packages/cart; git mv src test package.json packages/cart; git commit -qm moved");
    const work = { worktree: null, folder: "packages/cart" };
    await openAndLook(createMachine(task.env, task.root), asked({ work }));
    task.act(`cd packages/cart; rm ${TESTS}`);
    heldReason(task.stop(S, { last_assistant_message: DONE }));
    expect(task.shown().join("\n")).toContain(`packages/cart/${TESTS} (removed)`);
    task.act(`git checkout -q packages; cd packages/cart; ${FIX}\necho '${testOf("one")}' >> ${TESTS}`);

    expect(task.stop(S, { last_assistant_message: DONE }).out).toContain("✓ done");
    expect(task.ended()).toMatchObject(VERIFIED);
  });
});

describe("a loop of an earlier version", () => {
  test.each(oneOf(["0.1.0", "0.1.0-before-actors"]))(
    "%s has no opening: it completes, and says so once",
    (set) => {
      const folder = join("test/fixtures/journals", set);
      const task = new PlayedTask();
      const { id } = JSON.parse(readFileSync(join(folder, "session-active.loop.json"), "utf8")) as {
        id: string;
      };
      mkdirSync(join(task.root, ".loop", "loops", id), { recursive: true });
      copyFileSync(join(folder, "session-active.jsonl"), task.journal(id));
      expect(task.loop("trust", id, "--yes").code).toBe(0);
      expect(task.loop("continue", "--session", S).code).toBe(0);
      writeFileSync(join(task.root, "done.txt"), "done\n");

      const { out } = task.stop(S, { last_assistant_message: DONE });
      expect(task.ended()).toMatchObject({ phase: "completed", confidence: "weak" });
      expect(task.ended().why).toBe(
        "a version without openings opened it, so it is unknown what changed since",
      );
      // In the line and in the block below it.
      expect(out.split("a version without openings").length).toBeLessThan(4);
    },
  );
});
