import { describe, expect, test } from "vitest";
import { showsValue } from "./literals.ts";
import { TestCode } from "./tested-statements.ts";
import { withValues } from "./written-test.ts";

interface Case {
  readonly path: string;
  readonly text: string;
  /** The line of the failing assertion. */
  readonly line: number;
  /** What the failure shows. */
  readonly shown?: string;
  readonly inputs: readonly string[];
  readonly expected: string;
}

const CASES: readonly Case[] = [
  {
    path: "a.test.js",
    text: 'test("joins words", () => assert.equal(slug("Green Tea"), "green-tea"));',
    line: 1,
    inputs: ["Green Tea"],
    expected: "green-tea",
  },
  {
    path: "a.test.js",
    text: 'test("in groups", () => assert.equal(slug("Green Tea", 1_500), 5_400_000));',
    line: 1,
    shown: "1500 !== 5400000",
    inputs: ["Green Tea", "1500"],
    expected: "5400000",
  },
  {
    path: "a.test.ts",
    text: 'test("joins words", () => {\n  const text = slug("Green Tea");\n  expect(text).toBe("green-tea");\n});',
    line: 3,
    inputs: ["Green Tea"],
    expected: "green-tea",
  },
  {
    path: "a.test.js",
    text: 'test("keys", () => {\n  assert.deepEqual(slug({\n    name: "Green Tea",\n    count: 12,\n  }), { path: "green-tea" });\n});',
    line: 2,
    inputs: ["Green Tea", "12"],
    expected: "green-tea",
  },
  {
    path: "a.test.js",
    text: 'test.each([\n  ["Black Tea", "black-tea"],\n  ["Green Tea", "green-tea"],\n])("%s", (text, wanted) => {\n  expect(slug(text)).toBe(wanted);\n});',
    line: 5,
    shown: "expected 'Green Tea' to be 'green-tea'",
    inputs: ["Green Tea"],
    expected: "green-tea",
  },
  {
    path: "test_a.py",
    text: 'def test_words():\n    assert slug("Green Tea") == "green-tea"\n',
    line: 2,
    inputs: ["Green Tea"],
    expected: "green-tea",
  },
  {
    path: "a_test.go",
    text: 'func TestSlug(t *testing.T) {\n\tif got := slug("Green Tea"); got != "green-tea" {\n\t\tt.Errorf("got %q, want %q", got, "green-tea")\n\t}\n}\n',
    line: 3,
    shown: 'got "Green Tea", want "green-tea"',
    inputs: ["Green Tea"],
    expected: "green-tea",
  },
  {
    path: "a_test.rb",
    text: 'class SlugTest < Minitest::Test\n  def test_words\n    assert_equal "green-tea", slug("Green Tea")\n  end\nend\n',
    line: 3,
    inputs: ["Green Tea"],
    expected: "green-tea",
  },
  {
    path: "a.t",
    text: "is(slug('Green Tea'), 'green-tea', 'joins words');\n",
    line: 1,
    inputs: ["Green Tea"],
    expected: "green-tea",
  },
  {
    path: "a.bats",
    text: '@test "joins words" {\n  run sh slug.sh "Green Tea"\n  [ "$output" = "green-tea" ]\n}\n',
    line: 3,
    inputs: ["Green Tea"],
    expected: "green-tea",
  },
  {
    path: "ATest.java",
    text: 'public class ATest {\n  @Test public void words() {\n    assertEquals("green-tea", Slug.slug("Green Tea"));\n  }\n}\n',
    line: 3,
    inputs: ["Green Tea"],
    expected: "green-tea",
  },
];

function statementOf({ path, text, line, shown }: Omit<Case, "inputs" | "expected">) {
  return TestCode.of(path, text)?.statementAt(line, {
    names: new Set(["slug"]),
    isShown: (content) => shown === undefined || showsValue(shown, content),
    isExcused: () => false,
  });
}

describe("what a failing assertion gives to the work, and expects of it,", () => {
  test.each(CASES)("is found in $path, line $line", ({ inputs, expected, ...each }) => {
    const statement = statementOf(each);
    expect(statement?.inputs.map(({ content }) => content)).toEqual(inputs);
    expect(statement?.expected.content).toBe(expected);
  });

  test.each([
    ["an answer that many functions give", 'test("a", () => assert.equal(slug("Green Tea"), true));'],
    ["an input that is a case of its own", 'test("a", () => assert.equal(slug(""), "green-tea"));'],
    ["a call of something else", 'test("a", () => assert.equal(other("Green Tea"), "green-tea"));'],
    [
      "an input that the test has in what it begins with",
      'const rows = load("7 Green Tea, 8 Black Tea");\ntest("a", () => assert.equal(slug("Green Tea"), "green-tea"));',
    ],
  ])("isn't known with %s", (_, text) => {
    expect(statementOf({ path: "a.test.js", text, line: text.split("\n").length })).toBeNull();
  });

  test("of a row is what it gives, also where another value is made of it", () => {
    const text = [
      "func TestJoin(t *testing.T) {",
      "\ttests := []struct{}{",
      '\t\t{[]string{"foo", "bar"}, "foo and bar"},',
      '\t\t{[]string{"foo", "bar", "baz"}, "foo, bar and baz"},',
      "\t}",
      "\tfor _, tt := range tests {",
      '\t\tif got := Join(tt.words); got != tt.want { t.Errorf("%q, want %q", got, tt.want) }',
      "\t}",
      "}",
    ].join("\n");
    const found = statementOf({
      path: "join_test.go",
      text,
      line: 7,
      shown: '["foo", "bar", "baz"], want "foo, bar and baz"',
    });
    expect(found?.inputs.map(({ content }) => content)).toEqual(["foo", "bar", "baz"]);
    expect(found?.expected.content).toBe("foo, bar and baz");
  });

  test("in a function without braces is what its own line gives", () => {
    const text = [
      "describe('slug', function()",
      "  it('joins', function()",
      "    assert.equals('green-tea', slug('Green Tea'))",
      "  end)",
      "  it('joins more', function()",
      "    assert.equals('earl-grey', slug('Earl Grey'))",
      "  end)",
      "end)",
    ].join("\n");
    const found = statementOf({ path: "slug_spec.lua", text, line: 6 });
    expect(found?.inputs.map(({ content }) => content)).toEqual(["Earl Grey"]);
    expect(found?.expected.content).toBe("earl-grey");
  });

  test.each([
    {
      of: "a data provider",
      path: "SlugTest.php",
      text: "<?php\nclass SlugTest {\n  function test($a, $b) { $this->assertSame($b, slug($a)); }\n  function rows() { return [\n    ['Black Tea', 'black'],\n    ['Green Tea', 'green-tea'],\n  ]; }\n}",
      shown: "data set #1 ('Green Tea', 'green-tea')",
      inputs: ["Green Tea"],
      expected: "green-tea",
    },
    {
      of: "a list of words",
      path: "roman.t",
      text: "my %test = (\n 'I'=>1,\n qw/V 5 X 10 L 50 MCDXLIV 1444 MMVII 2007/\n);\nis(Roman($test{$_}), $_) for keys %test;",
      shown: "Failed test '1444 is MCDXLIV'",
      wanted: "expected: 'MCDXLIV'",
      inputs: ["1444"],
      expected: "MCDXLIV",
    },
  ])("is found in $of by what a failure shows", ({ path, text, shown, wanted = shown, inputs, expected }) => {
    const rows = TestCode.of(path, text)?.shownRows({
      names: new Set(["slug", "Roman"]),
      isExcused: () => false,
      isShown: (content) => showsValue(`${shown}\n${wanted}`, content),
      isExpected: (content) => showsValue(wanted, content),
    });
    expect(rows?.map((row) => row.inputs.map(({ content }) => content))).toEqual([inputs]);
    expect(rows?.[0]?.expected.content).toBe(expected);
  });

  test("and a number in groups is replaced as a whole", () => {
    const text = 'test("a", () => assert.equal(slug("Green Tea", 1_500), 5_400_000));';
    const { inputs = [], expected } = statementOf({ path: "a.test.js", text, line: 1 }) ?? {};
    const places = [...inputs.slice(1), ...(expected?.places ?? [])];
    const other = withValues(
      text,
      places.map((place) => ({ place, value: "7" })),
    );
    expect(other).toBe('test("a", () => assert.equal(slug("Green Tea", 7), 7));');
  });

  test("and what a test stored before changes with it", () => {
    const text =
      'test("a", () => {\n  store("Green Tea");\n  assert.equal(slug("Green Tea"), "green-tea");\n});';
    const [input] = statementOf({ path: "a.test.js", text, line: 3 })?.inputs ?? [];
    const places = input === undefined ? [] : [input, ...input.twins];
    const other = withValues(
      text,
      places.map((place) => ({ place, value: "Red Tea" })),
    );
    expect(other).toBe(text.replaceAll("Green Tea", "Red Tea"));
  });
});
