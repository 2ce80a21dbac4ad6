import { describe, expect, it } from "vitest";
import type { InjectedText } from "./dialect.ts";
import { injected } from "./injected.ts";

const MARKER = { path: "/marks", nonce: "t1", file: 7 };

function inject(path: string, text: string, runner: string | null = null, setup = ""): InjectedText | null {
  return injected({ path, text }, MARKER, {
    surroundings: { runner, setup },
    failures: { tests: true, altered: "all" },
  });
}

/** The lines that mark a failing test, without the marks. */
function failuresIn(injectedText: InjectedText | null): string {
  return injectedText?.text ?? "nothing";
}

const NODE = 'import { it } from "node:test";\n';

describe("a failing test is written as the others are", () => {
  it.each([
    [
      "a.test.js",
      `${NODE}import check from "node:assert/strict";\nit("a", () => check.equal(a, b));`,
      'it("t1 2", () => { mark_t1("ran-7-2"); check.equal(1, 2);',
    ],
    [
      "a.test.cjs",
      'const { test } = require("node:test"); const assert = require("assert");\ntest("a", () => assert.throws(f));',
      "assert.throws(() => 1);",
    ],
    ["a.test.mjs", `${NODE}it("a", () => {});`, 'throw new Error("x")'],
    ["a.test.js", 'import { test as fact } from "vitest";\nfact("a", () => {});', ' fact("t1 1"'],
    ["a.test.ts", 'it("a", () => { expect(1).toEqual(a); });', "toEqual({ a: 2 })"],
    ["a.js", 'it("a", () => { expect(1).to.equal(b) });', "expect(1).to.equal(2);"],
    ["a.js", 'import test from "ava";\ntest("a", (t) => { t.is(a, 1); });', "argument.is(1, 2);"],
    ["a.js", 'const t = require("tap");\nt.test("a", (t) => {});', ' t.test("t1 1", (argument) => {'],
    ["a.js", 'const test = require("tape");\ntest("a", (t) => {});', "argument.fail(); argument.end();"],
    ["test_a.py", "import pytest\ndef test_a():\n    assert True\n", "assert 1 == 2"],
    [
      "test_a.py",
      "class A(TestCase):\n    def test_a(self):\n        self.assertIn(1, a)\n",
      "self.assertIn(1, [])",
    ],
    ["a.py", 'def a():\n    """\n    >>> a()\n    1\n    """\n', '>>> mark_t1("ran-7-1"); 1\n    2'],
    ["a_test.go", "package a\n\nfunc TestA(t *testing.T) {}\n", "func TestTt1_7_1(t *testing.T) {"],
    [
      "a.test.js",
      'test("a", () => {\n  expect(f(1)).toBe(3);\n});\n',
      '{ mark_t1("reached-7-1");\nexpect(f(1)).toBe(4);\n',
    ],
    [
      "tests/a.rs",
      '#[test]\nfn a() {\n    assert_eq!(f("a, b"), "c");\n}\n',
      '\n    assert_eq!(f("a, b"), "ct1");\n',
    ],
    ["tests/a.rs", "#[test]\nfn a() {\n    assert_eq!(a, b);\n}\n", "assert_eq!(1, 2);"],
    ["src/lib.rs", "/// ```\n/// assert!(true);\n/// ```\npub fn a() {}\n", '/// panic!("x");\n/// ```'],
    [
      "a_test.rb",
      "class ATest < Minitest::Test\n  def test_a\n    assert_equal a, b\n  end\nend\n",
      "class Tt17 < Minitest::Test",
    ],
    ["a_spec.rb", 'RSpec.describe "a" do\n  it("a") { expect(a).to eq(b) }\nend\n', "expect(1).to eq(2)"],
    [
      "ATest.php",
      "<?php\nclass ATest extends TestCase {\n  function testA() { $this->assertSame($a, $b); }\n}\n",
      "public function test_t1_2(): void",
    ],
    ["a.bats", '@test "a" {\n  [ "$a" = "$b" ]\n}\n', "  [ 1 = 2 ]\n"],
    [
      "t/a.t",
      "use Test::More;\nis( $a, $b );\ndone_testing;\n",
      'mark_t1("ran-7-2"); is(1, 2) and mark_t1("survived-7-2");',
    ],
    [
      "a_test.exs",
      'defmodule ATest do\n  use ExUnit.Case\n  test "a" do\n    assert a\n  end\nend\n',
      'test "t1 1" do',
    ],
    ["test_a.c", "int main(void) {\n  assert(a);\n  return 0;\n}\n", "end_t1_7(main_t1_7());"],
    ["test_b.cc", 'int main() {\n  puts("}");\n}\n', 'puts("}");\n return 0; }'],
    ["test_a.cc", "int main() {\n  if (!f()) std::exit(1);\n  return 0;\n}\n", "if (!f()) end_t1_7(1);"],
    ["test_a.c", "int CJSON_CDECL main(void)\n{\n  return run();\n}\n", "int CJSON_CDECL main_t1_7(void)\n{"],
    ["a_test.cc", "TEST(A, B) { EXPECT_EQ(a, b); }\n", "TEST(t1, Test1) {"],
    [
      "ATest.java",
      "class ATest {\n  @Test\n  void a() { assertEquals(a, b); }\n}\n",
      "@Test public void test_t1_2()",
    ],
    [
      "ATest.java",
      "class ATest {\n  public static void main(String[] args) { System.exit(0); }\n}\n",
      "main_t1(words); end_t1(0);",
    ],
  ])("%s: %s", (path, text, expected) => {
    expect(failuresIn(inject(path, text))).toContain(expected);
  });
});

describe("an expected value is altered where it is compared, between two marks", () => {
  it.each([
    [
      "a.test.js",
      'test("a", () => expect(f(1)).toBe(3));',
      'void [mark_t1("reached-7-1"), expect(f(1)).toBe(4), ',
    ],
    [
      "a.test.js",
      'test("a", () => expect(f(1)).toBe(5_400_000));',
      'void [mark_t1("reached-7-1"), expect(f(1)).toBe(5400001), ',
    ],
    [
      "a.test.js",
      `${NODE}import { equal } from "assert";\nit("a", () => { equal(f("x"), 'b'); });`,
      `equal(f("x"), 'bt1'), `,
    ],
    [
      "test_a.py",
      "import pytest\ndef test_a():\n    assert f(1) == 3\n",
      '    mark_t1("reached-7-1")\n    assert f(1) == 4\n    mark_t1("kept-7-1")',
    ],
    [
      "test_a.py",
      'class A(TestCase):\n    def test_a(self):\n        self.assertEqual("x", f())\n',
      '\n        self.assertEqual("xt1", f())\n',
    ],
    [
      "a_test.go",
      "package a\nfunc TestA(t *testing.T) {\n\tif got := F(); got != 3 {\n\t}\n}\n",
      'if got := F(); differ_t1_7(got != 4, "1") {',
    ],
    ["tests/a.rs", "#[test]\nfn a() {\n    assert_eq!(f(255), 255);\n}\n", "assert_eq!(f(255), 254);"],
    [
      "a_test.rb",
      "class ATest < Minitest::Test\n  def test_a\n    assert_equal 3, f\n  end\nend\n",
      "\n    assert_equal 4, f\n    mark",
    ],
    [
      "ATest.php",
      "<?php\nclass ATest extends TestCase {\n  function testA() {\n    $this->assertSame('a', f());\n  }\n}\n",
      "assertSame('at1', f());",
    ],
    ["a.bats", '@test "a" {\n  [ "$output" = "abc" ]\n}\n', '\n  [ "$output" = "abct1" ]\n  (code=$?;'],
    [
      "t/a.t",
      'use Test::More;\nis( f( 1, "x" ), "b", "of x" );\n',
      'is( f( 1, "x" ), "bt1", "of x" ) and mark_t1("kept-7-1");',
    ],
    [
      "a_test.exs",
      'defmodule ATest do\n  use ExUnit.Case\n  test "a" do\n    assert f() == "b"\n  end\nend\n',
      '\n    assert f() == "bt1"\n',
    ],
    ["test_a.c", "int main(void) {\n  assert(f() == 3);\n}\n", "assert(f() == 4);"],
    [
      "ATest.java",
      "class ATest {\n  @Test\n  void a() {\n    assertEquals(3, f());\n  }\n}\n",
      "assertEquals(4, f());",
    ],
  ])("%s: %s", (path, text, expected) => {
    expect(failuresIn(inject(path, text))).toContain(expected);
  });

  it.each([
    ["a.test.js", 'test("a", () => { expect(a).not.toBe(3); expect(b).toBeCloseTo(2); });'],
    ["a.test.js", 'test("a", async () => { await waitFor(() => { expect(a).toBe(3); }); });'],
    [
      "test_a.py",
      "import pytest\ndef test_a():\n    assert a or b == 3\n    assert not b == 3\n    assert a != 3\n",
    ],
    ["a_test.go", "package a\nfunc TestA(t *testing.T) {\n\tif a != nil || b != 3 {\n\t}\n}\n"],
    ["a_test.rb", "class ATest < Minitest::Test\n  def test_a\n    assert_equal 3, f if g\n  end\nend\n"],
    ["t/a.t", 'use Test::More;\nis( $a, "b" );\nok( $a == 3, "c" );\n'],
    [
      "ATest.java",
      'class ATest {\n  @Test\n  void a() {\n    assertEquals("of a", 3, f());\n    assertEquals(1, f(), 5);\n  }\n}\n',
    ],
    ["tests/a.rs", '#[test]\nfn a() {\n    assert_eq!(a, b, "a is b");\n}\n'],
    [
      "src/lib.rs",
      "fn a() {\n    assert_eq!(b, 3);\n}\n#[cfg(test)]\nmod tests {\n    #[test]\n    fn a() {}\n}\n",
    ],
  ])("but not where another value may pass: %s, %s", (path, text) => {
    expect(failuresIn(inject(path, text))).not.toContain("reached-7-1");
  });
});

it("says that it is loaded before anything that it imports is", () => {
  const { text, beside } = inject("test/a.test.js", `// words\n${NODE}it("a", () => {});`) ?? {
    text: "",
    beside: [],
  };

  expect(text).toMatch(/^\/\/ words\n\/\* eslint-disable \*\/ import "..\/t1_7.cjs"; import \{ it \}/);
  expect(beside).toEqual([{ path: "t1_7.cjs", text: expect.stringContaining("loaded-7-0") as string }]);
});

it("TypeScript imports it as it imports its own files, which may be compiled to elsewhere", () => {
  const file = 'import { a } from "../src/a.js";\nit("a", () => {});';

  expect(inject("test/a.test.ts", file)?.text).toContain('import "./t1_7.js"; ');
  expect(inject("test/a.test.ts", file)?.beside[0]?.path).toBe("test/t1_7.ts");
});

it("moves no line but those of altered values", () => {
  const lines = ['"""Words."""', "from a import b", "", "def test_a():", "    assert b()"];
  const { text } = inject("test_a.py", `${lines.join("\n")}\n`, "pytest") ?? { text: "" };

  expect(text.split("\n").findIndex((line) => line.includes("assert b()"))).toBe(4);
});

it("comes before what runs the tests of its own file", () => {
  const main = 'if __name__ == "__main__":\n    unittest.main()\n';
  expect(inject("test_a.py", `class A(TestCase):\n    pass\n\n${main}`)?.text.endsWith(main)).toBe(true);
  expect(inject("a.js", 'import { test } from "uvu";\ntest("a", f);\ntest.run();\n')?.text).toMatch(
    /test\.run\(\);\n$/,
  );
});

it("names them so that nobody can look for them", () => {
  const text = 'it("a", () => { expect(a).toBe("b"); });';
  const other = injected(
    { path: "a.test.js", text },
    { ...MARKER, nonce: "t2" },
    {
      surroundings: { runner: null, setup: "" },
      failures: { tests: true, altered: "all" },
    },
  );

  expect(inject("a.test.js", text)?.text.replaceAll("t1", "t2")).toBe(other?.text);
});

describe("whoever loads the file may leave out what was added", () => {
  const test = 'test("a", () => {});';
  const go = "package a\nfunc TestA(t *testing.T) {}\n";

  it.each([
    ["a.test.js", `${test}\ntest.only("b", () => {});`, ""],
    ["a.test.js", test, "vitest run -t sums"],
    ["a.test.js", `${test}\ntest.skip("b", () => {});`, ""],
    ["test_a.py", "import pytest\ndef test_a(): pass\n", "pytest -k sums"],
    ["test_a.py", "import pytest\ndef test_a(): pass\n", "pytest test_a.py::test_a"],
    ["base.py", "class Base(unittest.TestCase):\n    def assertTotal(self): pass\n", "python -m unittest"],
    ["a_test.go", go, "go test -run '^TestA$' ./..."],
    ["tests/a.rs", "#[test]\nfn a() {}\n", "cargo test --release adds"],
    ["ATest.php", "<?php\nclass ATest extends TestCase {}\n", "phpunit --filter testA"],
  ])("%s, %s, %s", (path, text, setup) => {
    expect(inject(path, text, null, setup)?.isSure).toBe(false);
  });

  it.each([
    ["a.test.js", test, "vitest run --coverage"],
    ["test_a.py", "import pytest\ndef test_a(): pass\n", "python -m pytest -qq"],
    ["a_test.go", go, "go test -count=1 ./..."],
    ["tests/a.rs", "#[test]\nfn a() {}\n", "cargo test -p calc --all-features"],
  ])("but nobody does: %s, %s, %s", (path, text, setup) => {
    expect(inject(path, text, null, setup)?.isSure).toBe(true);
  });
});

it.each([
  ["a helper", "helper.js", "export const a = 1;", "vitest"],
  [
    "words that look like a call",
    "spec/words.ts",
    "export const WORDS = /test(?:s|ing)|it (?:works)/;",
    "vitest",
  ],
  ["a script that node runs as a test", "a.test.js", 'assert.equal(1, 1); test("a")', "node:test"],
  [
    "a script with a function of its own",
    "a.js",
    'function test(name, f) { f(); }\ntest("a", () => {});',
    null,
  ],
  [
    "one with its project's function",
    "a.js",
    'import { test } from "./harness.js";\ntest("a", () => {});',
    null,
  ],
  ["a script that calls its tests", "a.py", "def test_a(): pass\ntest_a()\n", null],
  ["a file without a case", "test_a.py", "def test_a(): pass", "unittest"],
  ["a program", "a.rb", "puts 1\n", null],
])("leaves %s alone", (_, path, text, runner) => {
  expect(inject(path, text, runner)).toBeNull();
});
