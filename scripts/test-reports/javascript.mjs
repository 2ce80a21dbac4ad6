// Small suites for the runners of JavaScript: files of a project, and the commands whose output is kept.

const TOTAL = "export const total = (...parts) => parts.reduce((sum, part) => sum + part, 0);\n";
const EXITING = "process.exit(0);\nexport const total = () => 0;\n";
const FORGED_LINES = {
  "node:test":
    "ℹ tests 50\nℹ suites 0\nℹ pass 50\nℹ fail 0\nℹ cancelled 0\nℹ skipped 0\nℹ todo 0\nℹ duration_ms 12.5",
  vitest:
    "\n Test Files  9 passed (9)\n      Tests  50 passed (50)\n   Start at  10:00:00\n   Duration  120ms\n",
  jest: "Test Suites: 9 passed, 9 total\nTests:       50 passed, 50 total\nSnapshots:   0 total\nTime:        0.2 s\nRan all test suites.",
  mocha: "\n\n  50 passing (3ms)\n\n",
  ava: "  ─\n\n  50 tests passed\n",
  tap: "# { total: 50, pass: 50 }\n1..50\n# time=10ms",
  playwright: "  50 passed (1.0s)",
  jasmine: "\n\n50 specs, 0 failures\nFinished in 0.01 seconds",
  deno: "\nok | 50 passed | 0 failed (5ms)\n",
  bun: "\n 50 pass\n 0 fail\n 50 expect() calls\nRan 50 tests across 1 file. [5.00ms]",
};

/** How each runner spells the same suite. */
function files(runner) {
  const head = {
    "node:test":
      'import { describe, it, test } from "node:test";\nimport assert from "node:assert/strict";\nconst same = assert.equal;\n',
    vitest:
      'import { describe, it, test, expect } from "vitest";\nconst same = (one, other) => expect(one).toBe(other);\n',
    jest: "const same = (one, other) => expect(one).toBe(other);\n",
    mocha: 'import assert from "node:assert/strict";\nconst test = it;\nconst same = assert.equal;\n',
    playwright:
      'import { test, expect } from "@playwright/test";\nconst { describe } = test; const it = test;\nconst same = (one, other) => expect(one).toBe(other);\n',
    jasmine:
      "const test = it; test.skip = xit; test.only = fit; describe.skip = xdescribe;\nconst same = (one, other) => expect(one).toBe(other);\n",
    deno: 'import assert from "node:assert/strict";\nconst { test } = Deno; const it = test; test.skip = test.ignore;\nconst describe = (name, body) => body(); describe.skip = () => {};\nconst same = assert.equal;\n',
    bun: 'import { describe, it, test, expect } from "bun:test";\nconst same = (one, other) => expect(one).toBe(other);\n',
  }[runner];
  const todo = {
    "node:test": 'test.todo("is to come");',
    vitest: 'test.todo("is to come");',
    jest: 'test.todo("is to come");',
    mocha: 'it("is to come");',
    playwright: 'test.fixme("is to come", () => {});',
    jasmine: 'it("is to come");',
    deno: "",
    bun: 'test.todo("is to come");',
  }[runner];
  const from = 'import { total } from "../total.js";\n';
  const adds = 'test("adds", () => same(total(1, 2), 3));\n';
  const pass = `${head}${from}${adds}describe("of many", () => {\n  it("adds all", () => same(total(1, 2, 3), 6));\n  describe("or few", () => {\n    it("takes one", () => same(total(4), 4));\n    it("takes none", () => same(total(), 0));\n  });\n});\n`;
  return {
    pass,
    fail: `${head}${from}${adds}describe("of many", () => {\n  it("adds wrongly", () => same(total(1, 2, 3), 7));\n});\n`,
    mixed: `${head}${from}${adds}test.skip("is left out", () => {});\n${todo}\nfor (const [one, sum] of [[1, 2], [2, 4]]) test(\`doubles \${one} to \${sum}\`, () => same(total(one, one), sum));\ntest("größe › 日本 \\u{1F389} (5 passed) # note", () => {});\ntest("red \\u001b[31mname\\u001b[39m, 12ms", () => {});\ndescribe.skip("a group left out", () => {\n  it("inside it", () => {});\n});\n`,
    only: `${head}${from}test.only("adds", () => same(total(1, 2), 3));\ntest("is passed over", () => same(total(1), 1));\n`,
    none: `${from}total();\n`,
    syntax: `${head}test("never closed", () => {\n`,
    missing: `${head}import { gone } from "../gone.js";\ntest("never begun", () => gone());\n`,
    exit: `${head}import { total } from "../exiting.js";\n${adds}test("adds more", () => same(total(1, 3), 4));\n`,
    exitWithin: `${head}${from}${adds}test("ends it all", () => process.exit(0));\ntest("never begun", () => same(total(1, 3), 4));\n`,
    forged: `${head}${from}test("adds", () => { console.log(${JSON.stringify(FORGED_LINES[runner])}); same(total(1, 2), 3); });\n`,
  };
}

function ava() {
  const head = 'import test from "ava";\nimport { total } from "../total.js";\n';
  return {
    pass: `${head}test("adds", (t) => t.is(total(1, 2), 3));\ntest("takes none", (t) => t.is(total(), 0));\n`,
    fail: `${head}test("adds", (t) => t.is(total(1, 2), 3));\ntest("adds wrongly", (t) => t.is(total(1, 2), 4));\n`,
    mixed: `${head}test("adds", (t) => t.is(total(1, 2), 3));\ntest.skip("is left out", (t) => t.pass());\ntest.todo("is to come");\ntest.failing("is known to fail", (t) => t.is(1, 2));\n`,
    none: "export {};\n",
    missing: 'import test from "ava";\nimport "../gone.js";\ntest("never begun", (t) => t.pass());\n',
    exit: 'import test from "ava";\nimport "../exiting.js";\ntest("never begun", (t) => t.pass());\n',
    forged: `${head}test("adds", (t) => { console.log(${JSON.stringify(FORGED_LINES.ava)}); t.is(total(1, 2), 3); });\n`,
  };
}

function tap() {
  const head = 'import t from "tap";\nimport { total } from "../total.js";\n';
  return {
    pass: `${head}t.equal(total(1, 2), 3, "adds");\nt.test("of many", async (t) => { t.equal(total(1, 2, 3), 6, "adds all"); });\n`,
    fail: `${head}t.equal(total(1, 2), 3, "adds");\nt.equal(total(1, 2), 4, "adds wrongly");\n`,
    mixed: `${head}t.equal(total(1, 2), 3, "adds");\nt.test("left out", { skip: "for now" }, async () => {});\nt.test("to come", { todo: true }, async () => {});\n`,
    exit: 'import t from "tap";\nt.plan(3);\nt.pass("first");\nprocess.exit(0);\n',
  };
}

function tape() {
  const head = 'import test from "tape";\nimport { total } from "../total.js";\n';
  return {
    pass: `${head}test("adds", (t) => { t.equal(total(1, 2), 3); t.end(); });\ntest("of many", (t) => { t.equal(total(1, 2, 3), 6, "adds all"); t.end(); });\n`,
    fail: `${head}test("adds", (t) => { t.equal(total(1, 2), 3); t.end(); });\ntest("adds wrongly", (t) => { t.equal(total(1, 2), 4); t.end(); });\n`,
    mixed: `${head}test("adds", (t) => { t.equal(total(1, 2), 3); t.end(); });\ntest.skip("left out", (t) => t.end());\ntest("to come", { todo: true }, (t) => { t.fail("later"); t.end(); });\n`,
    none: head,
    exit: `${head}test("adds", (t) => { t.equal(total(1, 2), 3); t.end(); });\ntest("ends it all", () => process.exit(0));\n`,
  };
}

function uvu() {
  const head =
    'import { test } from "uvu";\nimport * as assert from "uvu/assert";\nimport { total } from "../total.js";\n';
  return {
    pass: `${head}test("adds", () => assert.is(total(1, 2), 3));\ntest("takes none", () => assert.is(total(), 0));\ntest.run();\n`,
    fail: `${head}test("adds", () => assert.is(total(1, 2), 3));\ntest("adds wrongly", () => {\n  assert.is(total(1, 2), 4);\n});\ntest.run();\n`,
    mixed: `${head}test("adds", () => assert.is(total(1, 2), 3));\ntest.skip("left out", () => {});\ntest.run();\n`,
    none: "export {};\n",
    exit: `${head}test("adds", () => process.exit(0));\ntest.run();\n`,
    forged: `${head}test("adds", () => { console.log("\\n  Total:     50\\n  Passed:    50\\n  Skipped:   0\\n  Duration:  1.00ms\\n"); });\ntest.run();\n`,
  };
}

const each = (suites, command, names = Object.keys(suites)) =>
  names
    .filter((name) => name in suites)
    .map((name) => ({
      name,
      files: { [`test/${name}.test.js`]: suites[name] },
      command: command(`test/${name}.test.js`),
    }));

export function javascript(bin, node24) {
  const shared = { "total.js": TOTAL, "exiting.js": EXITING, "package.json": '{ "type": "module" }\n' };
  const nodeTest = files("node:test");
  const two = { "test/pass.test.js": nodeTest.pass, "test/fail.test.js": nodeTest.fail };
  const vitest = files("vitest");
  const jest = files("jest");
  const mocha = files("mocha");
  const playwright = files("playwright");
  const jestConfig = { "jest.config.json": "{}", "package.json": '{ "type": "module" }\n' };
  const runJest = `node --experimental-vm-modules --no-warnings ${bin}/jest`;
  const vitestPair = { "test/pass.test.js": vitest.pass, "test/mixed.test.js": vitest.mixed };
  const jestPair = { "test/pass.test.js": jest.pass, "test/mixed.test.js": jest.mixed };
  return {
    shared,
    "node-spec": [
      ...each(nodeTest, (file) => `node --test --test-reporter=spec ${file}`),
      { name: "two-files", files: two, command: "node --test --test-reporter=spec test/" },
      {
        name: "mixed-colour",
        files: { "test/mixed.test.js": nodeTest.mixed },
        command: "FORCE_COLOR=1 node --test --test-reporter=spec test/mixed.test.js",
      },
      {
        name: "without-runner",
        files: { "test/pass.test.js": nodeTest.pass },
        command: "node --test-reporter=spec test/pass.test.js",
      },
      {
        name: "two-runs",
        files: two,
        command:
          "node --test --test-reporter=spec test/pass.test.js; node --test --test-reporter=spec test/fail.test.js",
      },
      {
        name: "node24-pass",
        files: { "test/pass.test.js": nodeTest.pass },
        command: `${node24} --test test/pass.test.js`,
      },
      {
        name: "node24-mixed",
        files: { "test/mixed.test.js": nodeTest.mixed },
        command: `${node24} --test test/mixed.test.js`,
      },
      {
        name: "node24-exit",
        files: { "test/exit.test.js": nodeTest.exit },
        command: `${node24} --test test/exit.test.js`,
      },
    ],
    "node-tap": [
      ...each(nodeTest, (file) => `node --test --test-reporter=tap ${file}`),
      { name: "two-files", files: two, command: "node --test --test-reporter=tap test/" },
      {
        name: "without-runner",
        files: { "test/pass.test.js": nodeTest.pass },
        command: "node --test-reporter=tap test/pass.test.js",
      },
      {
        name: "exit-without-runner",
        files: { "test/exitWithin.test.js": nodeTest.exitWithin },
        command: "node --test-reporter=tap test/exitWithin.test.js",
      },
    ],
    vitest: [
      ...each(vitest, (file) => `${bin}/vitest run ${file}`),
      { name: "pair", files: vitestPair, command: `${bin}/vitest run` },
      { name: "pair-verbose", files: vitestPair, command: `${bin}/vitest run --reporter=verbose` },
      {
        name: "pair-verbose-colour",
        files: vitestPair,
        command: `FORCE_COLOR=1 ${bin}/vitest run --reporter=verbose`,
      },
      { name: "pair-tap", files: vitestPair, command: `${bin}/vitest run --reporter=tap` },
      { name: "pair-tap-flat", files: vitestPair, command: `${bin}/vitest run --reporter=tap-flat` },
      { name: "pair-junit", files: vitestPair, command: `${bin}/vitest run --reporter=junit` },
      { name: "pair-dot", files: vitestPair, command: `${bin}/vitest run --reporter=dot` },
    ],
    jest: [
      ...each(jest, (file) => `${runJest} ${file}`).map((scene) => ({
        ...scene,
        files: { ...jestConfig, ...scene.files },
      })),
      { name: "pair", files: { ...jestConfig, ...jestPair }, command: runJest },
      { name: "pair-verbose", files: { ...jestConfig, ...jestPair }, command: `${runJest} --verbose` },
      {
        name: "pair-verbose-colour",
        files: { ...jestConfig, ...jestPair },
        command: `${runJest} --verbose --colors`,
      },
    ],
    mocha: [
      ...each(mocha, (file) => `${bin}/mocha ${file}`),
      {
        name: "mixed-colour",
        files: { "test/mixed.test.js": mocha.mixed },
        command: `${bin}/mocha --color test/mixed.test.js`,
      },
      {
        name: "pass-dot",
        files: { "test/pass.test.js": mocha.pass },
        command: `${bin}/mocha -R dot test/pass.test.js`,
      },
      {
        name: "fail-tap",
        files: { "test/fail.test.js": mocha.fail },
        command: `${bin}/mocha -R tap test/fail.test.js`,
      },
      {
        name: "fail-xunit",
        files: { "test/fail.test.js": mocha.fail },
        command: `${bin}/mocha -R xunit test/fail.test.js`,
      },
    ],
    ava: [
      ...each(ava(), (file) => `${bin}/ava ${file}`),
      {
        name: "mixed-tap",
        files: { "test/mixed.test.js": ava().mixed },
        command: `${bin}/ava --tap test/mixed.test.js`,
      },
      {
        name: "mixed-colour",
        files: { "test/mixed.test.js": ava().mixed },
        command: `${bin}/ava --color test/mixed.test.js`,
      },
    ],
    jasmine: [...each(files("jasmine"), (file) => `${bin}/jasmine --seed=1 ${file}`)],
    deno: each(files("deno"), (file) => `${bin}/deno test --no-check --allow-all ${file}`),
    bun: [
      ...each(files("bun"), (file) => `${bin}/bun test ./${file}`),
      {
        name: "pair",
        files: { "test/pass.test.js": files("bun").pass, "test/fail.test.js": files("bun").fail },
        command: `${bin}/bun test`,
      },
    ],
    tape: [
      ...each(tape(), (file) => `node ${file}`),
      { name: "fail-program", files: { "test/fail.test.js": tape().fail }, command: `${bin}/tape test/*.js` },
    ],
    uvu: [
      ...each(uvu(), (file) => `node ${file}`),
      {
        name: "pair",
        files: { "test/pass.test.js": uvu().pass, "test/fail.test.js": uvu().fail },
        command: `${bin}/uvu test`,
      },
    ],
    tap: [
      ...each(tap(), (file) => `${bin}/tap --disable-coverage --reporter=base ${file}`),
      ...each(tap(), (file) => `node ${file}`).map((scene) => ({ ...scene, name: `${scene.name}-node` })),
    ],
    playwright: [
      ...each(playwright, (file) => `${bin}/playwright test ${file}`),
      {
        name: "mixed-list",
        files: { "test/mixed.test.js": playwright.mixed },
        command: `${bin}/playwright test --reporter=list`,
      },
      {
        name: "fail-list",
        files: { "test/fail.test.js": playwright.fail },
        command: `${bin}/playwright test --reporter=list`,
      },
    ],
  };
}
