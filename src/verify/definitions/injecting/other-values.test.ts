import { expect, it } from "vitest";
import { failsByComparing, withOtherLines, withOtherValues } from "./other-values.ts";

it.each([
  [`is(trim("a  "), "a", "right");`, `is(trim("a  x1"), "ax2", "right");`],
  [`assert(num.round(2.5) == 3, "half")`, `assert(num.round(2.5) == 4, "half")`],
  [`same "$(total 100 10)" "900" "ten"`, `same "$(total 100 10)" "901" "ten"`],
  [`for (const [n, want] of [[999, "999 B"]]) {`, `for (const [n, want] of [[1000, "999 Bx2"]]) {`],
  [`import { a } from "./a.js"; same(a(), 2);`, `import { a } from "./a.js"; same(a(), 3);`],
  [`assert_eq!(parse("a"), 5_400_000);`, `assert_eq!(parse("ax1"), 5400002);`],
  [`check "sum" 3 (add 2 4);`, `check "sumx1" 5 (add 5 8);`],
  [`assert(f("a") == (7-2)-4);`, `assert(f("ax1") == (9-5)-8);`],
  [`if area(2, 3) != 6:\n    fail()`, `if area(3, 5) != 9:\n    fail()`],
  [`assert_eq "$(human 12)" "12 B"`, `assert_eq "$(human 12)" "12 Bx1"`],
  [`test clamp-1 {above} { clamp 50 0 10 } 10`, `test clamp-1 {above} { clamp 51 0 12 } 13`],
  [`    self.assertEqual(chunks([5, 6], 2), [[5, 6]])`, `    self.assertEqual(chunks([6, 8], 5), [[9, 11]])`],
])("each value of a comparison becomes another: %s", (line, other) => {
  expect(withOtherValues(line)).toBe(other);
});

it("a row of a table changes where something compares", () => {
  const rows = '{75: "1:15"}';

  expect(withOtherValues(`${rows}\nif got != want {`)).toBe('{76: "1:15x2"}\nif got != want {');
  expect(withOtherValues(rows)).toBeNull();
});

it("where a difference is wanted, another value says nothing", () => {
  expect(withOtherValues('assert_not_equal "$(shuffle a b)" "a b"\n')).toBeNull();
  expect(withOtherValues("assert_ne!(shuffle(4), 4);\n")).toBeNull();
});

it("what a test is called is no value", () => {
  expect(withOtherValues('is "$(path join a b)" a/b "two parts"\n')).toBeNull();
  expect(withOtherValues("is_deeply(dedupe([], qw(pear fig)), [qw(pear)], 'once');\n")).toBeNull();
  const test = (result: string): string =>
    `test turn-2 {wide} -body {\n    turn {{1 2} {3 4}}\n} -result ${result}\n`;
  expect(withOtherValues(test("{{1 3} {2 4}}"))).toBe(test("{{1 4} {4 7}}"));
  expect(withOtherValues(test("$want"))).toBeNull();
});

it.each([
  ['for (const [n, sum] of [["1 2", 3]])\n  if (f(n) !== sum) throw 1;', '["1 2x1", 5]'],
  ['foreach ([["1 2", 3]] as [$n, $sum])\n  if (f($n) !== $sum) exit(1);', '["1 2x1", 5]'],
  ['for n, sum in [("1 2", 3)]:\n    if f(n) != sum:\n        fail()', '("1 2x1", 5)'],
])("so does the last value of a row, whatever it is called: %s", (text, other) => {
  expect(withOtherValues(text)).toContain(other);
  expect(withOtherValues(text.replace("3", "true"))).toBeNull();
});

it("a field of a row is compared, too, where a program counts what differs", () => {
  const rows = 'test_case cases[] = {\n  {"2+3", 5},\n};\n';
  const compares =
    "double answer = cases[i].answer;\ndouble got = eval(cases[i].text);\nlfequal(got, answer);\n";

  expect(withOtherValues(rows + compares)).toContain('{"2+3x1", 7}');
  expect(withOtherValues(rows + compares.replace("lfequal(got, answer)", "show(answer)"))).toBeNull();
});

it("what is asked for nothing, or for yes or no, expects no value", () => {
  const nothing = "is(parse('x'), undef);\nassertEqual(find('a'), None)\n";
  expect(withOtherValues(nothing)).toBeNull();
  expect(withOtherValues(`${nothing}is_deeply(parse('20 C'), { value => 20 });\n`)).toMatch(/=> 2[1-9] \}/);
});

it("the names of a table's columns stay", () => {
  const table = '@pytest.mark.parametrize("n, wanted", [(2, 4)])\nassert f(n) == wanted';

  expect(withOtherValues(table)).toBe(table.replace("(2, 4)", "(3, 6)"));
});

it.each([
  [
    '@pytest.mark.parametrize(\n    ("text", "lines"),\n    [\n        ("a b", ["a", "b"]),\n    ],\n)\ndef test_wrap(text, lines):\n    assert wrap(text) == lines\n',
    '("a bx1", ["ax2", "bx3"])',
  ],
  [
    '@pytest.mark.parametrize(("n", "lines"), [(2, ["a", "b"])])\ndef test_wrap(n, lines):\n    assert wrap(n) == lines\n',
    '("n", "lines"), [(3, ["ax2", "bx3"])]',
  ],
  [
    'it.each([["a b", ["a-b"]]])("%s", (text, slug) => {\n  expect(f(text)).toEqual(slug);\n});\n',
    '["a bx1", ["a-bx2"]]',
  ],
])("what a test takes last from a table's rows is compared: %j", (text, other) => {
  expect(withOtherValues(text)).toContain(other);
  // There and back again, any value is right.
  expect(
    withOtherValues(text.replace("(text)", "(text, lines, slug)").replace("(n)", "(n, lines)")),
  ).toBeNull();
});

it.each([
  'console.error("bytes(" + n + ") is " + got + ", not " + want);',
  'import { a } from "./a.js";',
  'assert(isEmpty(list), "a list that is empty");',
  'assert len(found) > 0, "nothing found"',
  "// expect(3).toBe(3)",
  "process.exit(bad === 2 ? 3 : 0);",
  "let failed = 0;",
  'require_relative "../lib/cart"',
  "[5, 5e3, Math.max(2, 3)].forEach((each) => assert(isNumber(each)));",
  "next if $this eq 'main'; # it is the first",
  "@Test void shouldOverlap() { assertTrue(new Span(2, 5).overlaps(new Span(3, 8))); }",
  "expect(isNumber(5)).toBe(true);",
])("what compares with no value stays: %s", (line) => {
  expect(withOtherValues(line)).toBeNull();
});

it("lines that are printed get other numbers, or other words", () => {
  expect(withOtherLines("a.txt", "tea 200\nrice\n")).toBe("tea 201\nricex2\n");
});

it.each([
  [
    "a.json",
    '[{"id":7,"tag":"a"}]\n[]\n{"tag": "a", "all": ["b"]}\n',
    '[{"id":8,"tag":"a"}]\n[]\n{"tag": "a", "all": ["bx3"]}\n',
  ],
  ["a.html", "<p>\n<b>bold</b>\n</p>\n", "<p>\n<b>boldx2</b>\n</p>\n"],
])("what has a form keeps it: %s", (path, text, other) => {
  expect(withOtherLines(path, text)).toBe(other);
});

it("a text that fails where something differs judges", () => {
  expect(failsByComparing("if (a !== b)\n  throw new Error();")).toBe(true);
  expect(failsByComparing("if (mode === 'loud') shout();\nconsole.log(1);")).toBe(false);
});
