import { describe, expect, it } from "vitest";
import { spoiled } from "./failing-test.ts";

/** What was added at the end. */
function addedTo(path: string, text: string, runner: string): string | null {
  const bad = spoiled(path, text, runner);
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
    ["a.test.tsx", 'test.each([1])("a", () => { expect(1).toMatch(/1/); });', "jest", "expect(1).toBe(2);"],
    ["a.js", 'it("a", () => { expect(1).to.be.ok; });', "mocha", "expect(1).to.equal(2);"],
    ["test_a.py", "def test_a():\n    assert True\n", "pytest", "assert 1 == 2"],
    ["test_a.py", "class TestA:\n    async def test_a(self):\n        pass\n", "pytest", "assert 1 == 2"],
    [
      "test_a.py",
      "class A(unittest.TestCase):\n    def test_a(self):\n        self.assertIn(1, [1])\n",
      "unittest",
      "self.assertIn(1, [])",
    ],
    ["test_a.py", "class A(TestCase):\n    def test_a(self): pass\n", "pytest", "self.assertEqual(1, 2)"],
  ])("%s", (path, text, runner, expected) => {
    expect(addedTo(path, text, runner)).toContain(expected);
  });
});

it("has one for each assertion that the file uses", () => {
  const text = `${NODE}import assert from "assert";\nit("a", () => { assert.ok(1); assert.deepEqual([], []); });`;
  const added = addedTo("a.test.js", text, "node:test")?.split("\n") ?? [];

  expect(added.map((line) => /assert\.\w+/.exec(line)?.[0])).toEqual(["assert.deepEqual", "assert.ok"]);
});

it.each([
  ["another runner's file", "test_a.py", "def test_a(): pass", "vitest"],
  ["a helper", "helper.js", "export const a = 1;", "vitest"],
  ["a script that node runs as a test", "a.test.js", 'assert.equal(1, 1); test("a")', "node:test"],
  ["a file without a case", "test_a.py", "def test_a(): pass", "unittest"],
  ["an unknown runner", "a_test.go", "func TestA(t *testing.T) {}", "go"],
])("leaves %s alone", (_, path, text, runner) => {
  expect(spoiled(path, text, runner)).toBeNull();
});
