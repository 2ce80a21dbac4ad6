import { describe, expect, it } from "vitest";
import { comparersIn, withOtherArgument } from "./comparers.ts";

const DEFINED: readonly (readonly [
  language: string,
  text: string,
  name: string,
  compared: readonly number[],
])[] = [
  [
    "PHP",
    "function check(string $name, $want, $got): void\n{\n  if ($want !== $got) {\n    $failures++;",
    "check",
    [1, 2],
  ],
  ["Perl", "sub same {\n  my ($got, $want, $name) = @_;\n  $failed++ if $got ne $want;\n}", "same", [0, 1]],
  [
    "Lua",
    "function C.eq(got, want, what)\n  if got == want then return end\n  C.failed = C.failed + 1",
    "eq",
    [0, 1],
  ],
  [
    "Tcl",
    "proc check {name got want} {\n  global failures\n  if {$got ne $want} {\n    incr failures",
    "check",
    [1, 2],
  ],
  ["shell", 'same() {\n  if [ "$1" = "$2" ]; then echo ok; else bad=$((bad + 1)); fi\n}', "same", [0, 1]],
  ["shell, named", 'same() {\n  got=$1 want=$2\n  [ "$got" = "$want" ] || fail "$3"\n}', "same", [0, 1]],
  ["Go", "func want(got, expected string) {\n\tif got != expected {\n\t\tbad++", "want", [0, 1]],
  [
    "R",
    "expect <- function(got, want) {\n  if (!isTRUE(all.equal(got, want))) bad <<- bad + 1\n}",
    "expect",
    [0, 1],
  ],
  ["OCaml", "let check name got want =\n  if got <> want then incr failures", "check", [1, 2]],
  [
    "C++",
    "template <class A> void equal(const A& got, const A& want, int line) {\n  if (got == want) return;\n  failed()++;",
    "equal",
    [0, 1],
  ],
  ["JavaScript", "const same = (got, want) => {\n  if (got !== want) failures += 1;\n};", "same", [0, 1]],
  [
    "Rust",
    "fn same(&mut self, got: Option<f64>, want: Option<f64>, what: &str) {\n    if got != want {\n        self.failed += 1;",
    "same",
    [0, 1],
  ],
  [
    "Python",
    "def same(got, want):\n    if got != want:\n        failures.append(got)\n        raise SystemExit(1)",
    "same",
    [0, 1],
  ],
];

describe("what a harness of the project's own compares with", () => {
  it.each(DEFINED)("is read from its definition: %s", (_, text, name, compared) => {
    expect(comparersIn([text])).toEqual([{ name, compared }]);
  });

  it("may be a macro, and one that hands on what it is given", () => {
    const macro =
      "#define CHECK(got, want) \\\n  do { int g = (got), w = (want); \\\n  if (g != w) failures++; } while (0)\n";
    expect(comparersIn([macro])).toEqual([{ name: "CHECK", compared: [0, 1] }]);
    const handing =
      "void equal(int a, int b) {\n  if (a != b) fail();\n}\n\n#define SAME(what, a, b) equal((a), (b))\n";
    expect(comparersIn([handing])).toContainEqual({ name: "SAME", compared: [1, 2] });
  });

  it.each([
    "def same(want, got, label)\n  return if want == got\n  $bad << label\nend",
    "def same(got, want):\n    assert got == want, got\n",
    "sub same {\n  my ($got, $want) = @_;\n  die $got unless $got eq $want;\n}",
    "void same(int a, int b) {\n  if (!(a == b)) failures++;\n}",
    "void same(int a, int b) {\n  if (a == b) { passed++; } else { failed++; }\n}",
  ])("fails where the two differ, and not where they are the same: %s", (text) => {
    expect(comparersIn([text])).toEqual([{ name: "same", compared: [0, 1] }]);
  });

  it("is nothing that only orders, joins or answers", () => {
    expect(comparersIn(["function largest(a, b) {\n  return a > b ? a : b;\n}"])).toEqual([]);
    expect(comparersIn(["def same(a, b):\n    return a == b\n"])).toEqual([]);
    expect(comparersIn(['changed() {\n  if [ "$1" = "$2" ]; then fail "$3"; fi\n}'])).toEqual([]);
    expect(comparersIn(["sub other {\n  my ($a, $b) = @_;\n  $failed++ if $a eq $b;\n}"])).toEqual([]);
    expect(comparersIn(["void is_not(int a, int b) {\n  if (a != b) return;\n  failures++;\n}"])).toEqual([]);
    expect(comparersIn(["sub add {\n  my ($sum, $by) = @_;\n  $sum += $by;\n}"])).toEqual([]);
  });
});

describe("a call of it has another value", () => {
  const SAME = [{ name: "same", compared: [0, 1] }];
  const CHECK = [{ name: "check", compared: [1, 2] }];

  it.each([
    [`same(total("a", 2), 12, "two")`, SAME, `same(total("a", 2), 13, "two")`],
    [`same("12", total(2))`, SAME, `same("13", total(2))`],
    [`same "$(total 200 3)" "600" "counts"`, SAME, `same "$(total 200 3)" "601" "counts"`],
    [`same "$(bump 1.4 minor)" 1.5 "minor"`, SAME, `same "$(bump 1.4 minor)" 2.5 "minor"`],
    [`check runs [rle aaab] a3b`, CHECK, `check runs [rle aaab] a3bx1`],
    [`check "even" (Sums.pairs [1; 2]) [3; 30];`, CHECK, `check "even" (Sums.pairs [1; 2]) [3; 31];`],
    [`same(mask("ab"), std::string("**"));`, SAME, `same(mask("ab"), std::string("**x1"));`],
    [
      `UNIT(six) { SAME(mask("ab"), "b"); }`,
      [{ name: "SAME", compared: [0, 1] }],
      `UNIT(six) { SAME(mask("ab"), "bx1"); }`,
    ],
    [`test("two", () => same(total(2), 4));`, SAME, `test("two", () => same(total(2), 5));`],
    // Only one of the two: both alike say nothing.
    [`same("a", "a")`, SAME, `same("a", "ax1")`],
  ])("%s", (line, comparers, other) => {
    expect(withOtherArgument(line, comparers, 1)).toBe(other);
  });

  it.each([
    `same(total(2), sum)`,
    `assert same("ab", "xy") is False`,
    `if (!same(f(2), 3)) return`,
    `x = same(1, 2)`,
    `function same(a, 3) {`,
    `print("a same 3 4")`,
    `samest(1, 2)`,
  ])("and none is written in: %s", (line) => {
    expect(withOtherArgument(line, SAME, 1)).toBeNull();
  });
});
