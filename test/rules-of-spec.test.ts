import { expect, test } from "vitest";
import { DONE, Stage, type PlayedTurn } from "./support/driven.ts";
import { variant } from "./support/variant.ts";

const CART = "export const total = (items) => items.reduce((sum, each) => sum + each, 0);\n";
const tested = (name: string, from: string, sum: number): string =>
  `import { test } from "node:test";\nimport assert from "node:assert";\nimport { ${name} } from "${from}";\ntest("sum", () => assert.equal(${name}([2, 3]), ${sum}));\n`;
const FILES = {
  "package.json": '{ "type": "module" }\n',
  "src/cart.js": CART,
  "test/cart.test.js": tested("total", "../src/cart.js", 5),
};

function writing(files: { readonly [path: string]: string }, ...removed: readonly string[]): PlayedTurn {
  const writes = Object.entries(files).map(([write, text]) => ({ write, text }));
  return { do: [...writes, ...removed.map((path) => ({ run: `rm ${path}` }))], say: DONE, usd: 0.01 };
}

function worked(spec: string, turn: PlayedTurn, files: { readonly [path: string]: string } = FILES) {
  const stage = new Stage(files);
  return stage.loop(
    "run",
    spec,
    "-c",
    "tests=node --test",
    "--script",
    stage.script([turn], true),
    "--iterations",
    "2",
  );
}

test("a test that the spec asks to change may, which is said; what it forbids in words is watched", () => {
  const turn = writing({
    "src/cart.js": CART.replace(", 0)", ", 1)"),
    "test/cart.test.js": tested("total", "../src/cart.js", 6),
  });
  const asked = "Let total() in src/cart.js begin with 1. Update the expectation in test/cart.test.js.";
  const ran = worked(asked, turn);
  expect(ran.err).toContain("that test/cart.test.js may change; all other tests judge as they are.");
  expect(ran.code).toBe(0);
  const forbidden = worked(`${asked} Change only src/cart.js.`, turn);
  expect(forbidden.err).toContain('Watched, as the spec says: "Change only src/cart.js".');
  expect(forbidden.out).toContain("test/cart.test.js changed");
  expect(forbidden.code).not.toBe(0);
});

test("a test that may change may renew its snapshots", () => {
  const files = {
    ...FILES,
    "test/__snapshots__/cart.test.js.snap": "5\n",
    "test/__snapshots__/other.test.js.snap": "",
  };
  const { err } = worked(
    "Let total() begin with 1. Update the snapshot of test/cart.test.js.",
    writing({}),
    files,
  );
  expect(err).toContain("that test/cart.test.js, test/__snapshots__/cart.test.js.snap may change; all other");
});

test("a source may change the tests inside it, where the spec asks for that", () => {
  const show = (text: string): string => `def show(n):\n    """\n    >>> show(1)\n    '${text}'\n    """\n`;
  const stage = new Stage({ "money.py": show("1"), "other.py": show("2") });
  const { err } = stage.loop(
    "start",
    "show() in money.py says EUR behind it. Update the doctests.",
    "-c",
    "tests=python3 -m doctest money.py",
  );
  expect(err).toContain("that money.py, other.py may change");
});

test("expected data that the spec names by a glob may change, and is named by it", () => {
  const files = {
    ...FILES,
    "test/cart.test.js":
      `import { readFileSync } from "node:fs";\n${tested("total", "../src/cart.js", 0)}`.replace(
        "]), 0)",
        ']), Number(readFileSync("test/data/sum.html", "utf8")))',
      ),
    "test/data/sum.html": "5\n",
  };
  const turn = writing({ "src/cart.js": CART.replace(", 0)", ", 1)"), "test/data/sum.html": "6\n" });
  const asked = "total() shall begin with 1. Change src/cart.js and the expected test/data/*.html.";
  const ran = worked(asked, turn, files);
  expect(ran.err).toContain("that test/data/*.html may change");
  expect(ran.code).toBe(0);
});

test("a setting that the spec asks for may change with the file that it names, and no other", () => {
  const files = {
    "package.json": '{ "type": "module", "scripts": { "test": "node --test" } }\n',
    "src/mode.js": 'export const mode = () => "none";\n',
    "test/mode.test.js":
      'import { test } from "node:test";\nimport assert from "node:assert";\nimport { mode } from "../src/mode.js";\ntest("mode", () => assert.equal(mode(), "ci"));\n',
  };
  const turn = writing({
    "package.json": files["package.json"].replace("node --test", "MODE=ci node --test"),
    "src/mode.js": "export const mode = () => process.env.MODE;\n",
  });
  const worked = (spec: string) => {
    const stage = new Stage(files);
    const script = stage.script([turn], true);
    return stage.loop("run", spec, "-c", "tests=npm test", "--script", script, "--iterations", "2");
  };
  const asked = worked(
    "Set MODE to ci in the test script of package.json. Let mode() in src/mode.js return it.",
  );
  expect(asked.err).toContain("that package.json may change; all other tests judge as they are.");
  expect(asked.code).toBe(0);
  expect(worked("Let mode() in src/mode.js return MODE.").code).not.toBe(0);
});

test("places that must not change are watched however the sentence puts it", () => {
  const turn = writing({ "src/cart.js": `${CART}// faster\n`, "lib/a.js": "2;\n" });
  const files = { ...FILES, "lib/a.js": "1;\n" };
  const forbidden = worked("Make total() in src/cart.js faster; lib/a.js is off limits", turn, files);
  expect(forbidden.err).toContain("Watched, as the spec says: lib/a.js must not change.");
  expect(forbidden.out).toContain("must-not");
  expect(forbidden.code).toBe(4);
  const bounded = worked("Make total() faster. All changes belong in src/cart.js", turn, files);
  expect(bounded.err).toContain('Watched, as the spec says: "All changes belong in src/cart.js".');
  expect(bounded.code).toBe(4);
});

test("original tests follow source that was moved and renamed, and judge what it does", () => {
  const spec = "Move total() of src/cart.js to src/sum.js, and call it sum().";
  const moved = (initial: number, sum: number): PlayedTurn =>
    writing(
      {
        "src/sum.js": CART.replace("total", "sum").replace(", 0)", `, ${initial})`),
        "test/cart.test.js": tested("sum", "../src/sum.js", sum),
      },
      "src/cart.js",
    );
  expect(worked(spec, moved(0, 5)).code).toBe(0);
  expect(worked(spec, moved(1, 6)).code).not.toBe(0);
});

test("original tests follow a method that was renamed, although others still have one of that name", () => {
  const queue = (push: string): string =>
    `export class Queue {\n  items = [];\n  ${push}(item) {\n    this.items.push(item);\n  }\n  get size() {\n    return this.items.length;\n  }\n}\n`;
  const tested = (push: string, size: number): string =>
    `import { test } from "node:test";\nimport assert from "node:assert";\nimport { Queue } from "../src/queue.js";\ntest("size", () => {\n  const queue = new Queue();\n  queue.${push}("a");\n  assert.equal(queue.size, ${size});\n});\n`;
  const files = { ...FILES, "src/queue.js": queue("push"), "test/queue.test.js": tested("push", 1) };
  const spec = "Rename the method push of Queue in src/queue.js to enqueue.";
  const renamed = (source: string, size: number): PlayedTurn =>
    writing({ "src/queue.js": source, "test/queue.test.js": tested("enqueue", size) });
  expect(worked(spec, renamed(queue("enqueue"), 1), files).code).toBe(0);
  const broken = queue("enqueue").replace("push(item)", "push(item, item)");
  expect(worked(spec, renamed(broken, 2), files).code).not.toBe(0);
});

variant("what make builds is built again for each proof", () => {
  const files = {
    Makefile:
      "test: cart_test\n\t./cart_test\ncart_test: cart.c cart_test.c\n\t$(CC) -o $@ $^\n.PHONY: test\n",
    "cart.c": "int total(int a, int b) { return a - b; }\n",
    "cart_test.c": "int total(int a, int b);\nint main(void) { return total(2, 3) != 5; }\n",
  };
  const stage = new Stage(files);
  const fixed = writing({ "cart.c": "int total(int a, int b) { return a + b; }\n" });
  const ran = stage.loop(
    "run",
    "Fix total() in cart.c",
    "-c",
    "tests=make test",
    "--script",
    stage.script([fixed]),
  );
  expect(ran.code).toBe(0);
});

variant("tests alone are not the change of a source that the spec asks for", () => {
  const spec = "total() in src/cart.js counts 1 more from now on; change test/cart.test.js, too.";
  const bent = FILES["test/cart.test.js"].replace("total([2, 3]), 5", "total([2, 3]) > 4, true");
  const ran = worked(spec, writing({ "test/cart.test.js": bent }));
  expect(ran.out).toContain("only tests changed, not src/cart.js");
  expect(ran.code).toBe(6);
});

variant("tests that are the work have to notice a fault that nothing noticed before", () => {
  const files = {
    ...FILES,
    "src/label.js": "export const label = (price) => (price === 0 ? 'free' : `${price} ct`);\n",
  };
  const label = (body: string): PlayedTurn =>
    writing({
      "test/label.test.js": `import { test } from "node:test";\nimport assert from "node:assert";\nimport { label } from "../src/label.js";\ntest("label", () => ${body});\n`,
    });
  const spec = "Write tests for label() of src/label.js in test/label.test.js.";
  expect(worked(spec, label('assert.equal(label(0), "free")'), files).code).toBe(0);
  const vacuous = worked(spec, label('assert.equal(typeof label, "function")'), files);
  expect(vacuous.code).toBe(6);
  expect(vacuous.out).toContain("no fault was found that the new tests notice in what they are about");
});

variant("new tests that run alone notice what older ones, left out by the command, would notice, too", () => {
  const stage = new Stage({
    ...FILES,
    "src/label.js":
      "export const label = (price) => (price === 0 ? 'free' : `${price} ct`);\nexport const short = (text) => text.slice(0, 3);\n",
    "test/short.test.js": `import { test } from "node:test";\nimport assert from "node:assert";\nimport { short } from "../src/label.js";\ntest("short", () => assert.equal(short("abcdef"), "abc"));\n`,
  });
  const turn = writing({
    "test/label.test.js": `import { test } from "node:test";\nimport assert from "node:assert";\nimport { label } from "../src/label.js";\ntest("label", () => assert.equal(label(0), "free"));\n`,
  });
  const spec = "Write tests for label() of src/label.js in test/label.test.js.";
  const check = "tests=node --test test/label.test.js";
  const ran = stage.loop("run", spec, "-c", check, "--not-yet", "tests", "--script", stage.script([turn]));
  expect(`${ran.code} ${ran.out}`).toMatch(/^0 /);
});
