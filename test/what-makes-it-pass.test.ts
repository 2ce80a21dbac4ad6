import { describe, expect, test } from "vitest";
import { PlayedTask } from "./support/played-task.ts";
import { variant } from "./support/variant.ts";

/** Its tests compare with a helper of the project, and load the source as a runner finds it. */
const PROJECT = {
  "package.json": JSON.stringify({ name: "cart", scripts: { test: "node --test" } }),
  "src/total.js": "exports.total = (items) => items.length;\n",
  "lib/same.js": `exports.same = (a, b) => { if (a !== b) throw new Error(a + " is not " + b); };\n`,
  "test/total.test.js": `const { test } = require("node:test");
const { same } = require("../lib/same.js");
const { total } = require("../src/total");
test("sums", () => same(total([1, 2]), 3));
test("empty", () => same(total([]), 0));
`,
};
const SUM = "exports.total = (items) => items.reduce((a, b) => a + b, 0);";

interface Ending {
  readonly name: string;
  readonly agent: string;
  readonly says: string;
}

describe("a completion names what makes it pass", () => {
  test.each<Ending>([
    {
      name: "the only changed file",
      agent: `echo '${SUM}' > src/total.js`,
      says: "Because of: src/total.js",
    },
    {
      name: "of several, those without which a check fails",
      agent: `echo 'exports.total = require("./sum.js").sum;' > src/total.js
echo '${SUM.replace("total", "sum")}' > src/sum.js; echo 'exports.other = 1;' > src/other.js`,
      says: "Because of: src/sum.js, src/total.js",
    },
  ])("$name", ({ agent, says }) => {
    const task = new PlayedTask(PROJECT);
    const ran = task.play(agent);
    expect({ ...task.ended(), out: ran.out }).toMatchObject({
      confidence: "verified",
      out: expect.stringContaining(says) as string,
    });
    expect(task.loop("status", "--all").out).toContain(says);
  });

  test.each<Ending>([
    {
      name: "a helper that compares nothing any more",
      agent: "echo '// looked at' >> src/total.js; echo 'exports.same = () => {};' > lib/same.js",
      says: "it passes because of lib/same.js, not src/total.js",
    },
    {
      name: "the same, where the named file is as it was",
      agent: "echo 'exports.same = () => {};' > lib/same.js",
      says: "it passes because of lib/same.js, not src/total.js",
    },
    {
      name: "a file whose name comes first",
      agent: `echo '${SUM}' > src/total; echo '// looked at' >> src/total.js`,
      says: "it passes because of src/total, not src/total.js",
    },
  ])("and is weak because of $name", ({ agent, says }) => {
    const task = new PlayedTask(PROJECT);
    task.play(agent);
    expect(task.ended()).toMatchObject({ confidence: "weak", why: expect.stringContaining(says) });
  });

  test.each<Ending>([
    {
      name: "another file under its name, which the work left alone",
      agent: `echo '${SUM}' > src/total`,
      says: "its tests noticed line 2 of src/total.js before the work, and don't any more",
    },
    {
      name: "a way around it for those who test it",
      agent: `cat > src/total.js <<'END'
exports.total = (items) => {
  if (Object.keys(process.env).some((name) => /test/i.test(name))) return items.reduce((a, b) => a + b, 0);
  return items.length;
};
END`,
      says: "its tests noticed line 3 of src/total.js before the work, and don't any more",
    },
  ])("and is weak because of $name", ({ agent, says }) => {
    const task = new PlayedTask({
      ...PROJECT,
      "src/total.js": "exports.total = (items) => {\n  return items.length;\n};\n",
    });
    task.play(agent);
    expect(task.ended()).toMatchObject({ confidence: "weak", why: expect.stringContaining(says) });
  });

  test("and isn't weak because what was wrong in another way with a fault is right with it", () => {
    const source = (sign: string): string => `exports.total = (a, b) => {
  const [most, least] = a >= b ? [a, b] : [b, a];
  return most ${sign} least;
};
`;
    const task = new PlayedTask({
      ...PROJECT,
      "src/total.js": source("-"),
      "test/total.test.js": `const { test } = require("node:test");
const assert = require("node:assert");
const { total } = require("../src/total.js");
test("up", () => assert.equal(total(12, 30), 42));
test("down", () => assert.equal(total(50, 4), 54));
`,
    });
    task.play(`cat > src/total.js <<'END'\n${source("+")}END`);
    expect(task.ended()).toMatchObject({ confidence: "verified" });
  });

  variant("and is weak because of other code under its name, where a script without a report judges", () => {
    const task = new PlayedTask({
      ...PROJECT,
      "src/total.js": "function total(items) {\n  return items.length;\n}\nexports.total = total;\n",
      "verify.js": `const assert = require("node:assert");
const { total } = require("./src/total.js");
assert.equal(total([]), 0);
assert.equal(total([1, 2]), 3);
`,
    });
    task.check = "tests pass=node verify.js";
    task.play(`sed -i 's/= total;/= require(".\\/sum.js").sum;/' src/total.js
echo '${SUM.replace("total", "sum")}' > src/sum.js`);
    const says = "its tests noticed line 2 of src/total.js before the work, and don't any more";
    expect(task.ended()).toMatchObject({ confidence: "weak", why: expect.stringContaining(says) });
  });

  test("and what was not tried is said, when the time that a person set is over", () => {
    const task = new PlayedTask(PROJECT);
    const several = `echo 'exports.total = require("./sum.js").sum;' > src/total.js
echo '${SUM.replace("total", "sum")}' > src/sum.js`;
    task.play(several, "--proof-budget", "0.001s");
    expect(task.eventsOf("loop.opened")).toMatchObject([{ proofBudgetMs: 1 }]);
    expect(task.shown()).toContain(
      "repeat stands, it was not tried in a fresh place: the time for proofs was over",
    );
    expect(task.shown().at(-1)).toBe(
      "causes open, the time for proofs was over before each changed file could be taken back",
    );
  });
});
