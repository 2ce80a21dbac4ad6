import { describe, expect, it } from "vitest";
import { injected } from "./injected.ts";

/** What was added at the end. */
function addedTo(path: string, text: string, runner: string): string | null {
  const bad = injected({ path, text, runner }, "t1");
  if (bad === null) return null;
  expect(bad.failing.startsWith(text)).toBe(true);
  expect(bad.broken.endsWith(text)).toBe(true);
  return bad.failing.slice(text.length).trim();
}

const NODE = 'import { it } from "node:test";\n';

describe("a failing test is written as the others are", () => {
  it.each([
    [
      "a.test.js",
      `${NODE}import check from "node:assert/strict";\nit("a", () => check.equal(1, 1));`,
      "node:test",
      "check.equal(1, 2);",
    ],
    [
      "a.test.cjs",
      'const { test } = require("node:test"); const assert = require("assert");\ntest("a", () => assert.throws(f));',
      "node:test",
      "assert.throws(() => 1);",
    ],
    ["a.test.mjs", `${NODE}it("a", () => {});`, "node:test", "throw new Error("],
    ["a.test.ts", 'it("a", () => { expect(1).toEqual(1); });', "vitest", "toEqual({ a: 2 })"],
    ["a.test.tsx", 'test.each([1])("a", () => { expect(1).toMatch(/1/); });', "jest", "toMatch(/b/);"],
    ["a.js", 'it("a", () => { expect(1).to.be.ok; });', "mocha", "throw new Error("],
    ["test_a.py", "def test_a():\n    assert True\n", "pytest", "assert 1 == 2"],
    ["test_a.py", "class TestA:\n    async def test_a(self):\n        pass\n", "pytest", "assert 1 == 2"],
    [
      "test_a.py",
      "class A(unittest.TestCase):\n    def test_a(self):\n        self.assertIn(1, [1])\n",
      "unittest",
      "self.assertIn(1, [])",
    ],
    ["test_a.py", "class A(TestCase):\n    def test_a(self): pass\n", "pytest", "self.fail("],
  ])("%s", (path, text, runner, expected) => {
    expect(addedTo(path, text, runner)).toContain(expected);
  });
});

it.each([
  [
    "a.test.js",
    `${NODE}import { equal, ok as yes } from "node:assert";`,
    "node:test",
    ["equal(1, 2);", "yes(false);"],
  ],
  [
    "a.test.js",
    `${NODE}import { strict as assert } from "assert"; assert.match(a, /b/);`,
    "node:test",
    ['assert.match("a", /b/);'],
  ],
  ["a.test.ts", "expect(JSON.stringify(a)).toBe(b)", "vitest", ["toBe(2)", "JSON.stringify({ a: 1 })"]],
  [
    "test_a.py",
    "import os, json\ndef test_a(): assert json.dumps(a) == all(b)",
    "pytest",
    ["json.dumps", "all([False])"],
  ],
])("has one for what %s compares with: %s", (path, text, runner, expected) => {
  const added = addedTo(path, `${text}\nit("a", () => {});`, runner);
  for (const each of expected) expect(added).toContain(each);
});

it("names them so that nobody can look for them", () => {
  const text = 'it("a", () => {});';
  const inject = (name: string): string =>
    injected({ path: "a.test.js", text, runner: "jest" }, name)?.failing ?? "";

  expect(inject("t1").replaceAll("t1", "t2")).toBe(inject("t2"));
  expect(inject("t1")).not.toBe(inject("t2"));
});

it("has one for each assertion that the file uses", () => {
  const text = `${NODE}import assert from "assert";\nit("a", () => { assert.ok(1); assert.deepEqual([], []); });`;
  const added = addedTo("a.test.js", text, "node:test")?.split("\n") ?? [];

  expect(added.map((line) => /assert\.\w+/.exec(line)?.[0])).toEqual([
    undefined,
    "assert.deepEqual",
    "assert.ok",
  ]);
});

it.each([
  ["another runner's file", "test_a.py", "def test_a(): pass", "vitest"],
  ["a helper", "helper.js", "export const a = 1;", "vitest"],
  ["a script that node runs as a test", "a.test.js", 'assert.equal(1, 1); test("a")', "node:test"],
  ["a file without a case", "test_a.py", "def test_a(): pass", "unittest"],
  ["an unknown runner", "a_test.go", "func TestA(t *testing.T) {}", "go"],
])("leaves %s alone", (_, path, text, runner) => {
  expect(injected({ path, text, runner }, "t1")).toBeNull();
});
