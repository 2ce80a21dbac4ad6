import { describe, expect, it } from "vitest";
import { MISTAKES, type Mistake } from "../definitions/source-judge.ts";
import { isAskedFor, namesFile, newSuppressions, suppressionsIn, type Suppression } from "./suppressions.ts";

const ALL = new Set<Mistake>(MISTAKES);

function wordsIn(path: string, text: string, reported: ReadonlySet<Mistake> = ALL): readonly string[] {
  return suppressionsIn(path, text, reported).map(({ word }) => word);
}

describe("what silences", () => {
  it.each([
    ["a.ts", "// @ts-ignore", "@ts-ignore"],
    ["a.ts", "/** @ts-nocheck */", "@ts-nocheck"],
    ["a.ts", "return value as any;", "as any"],
    ["a.ts", "return value as unknown as Cart;", "as unknown as"],
    ["a.ts", "function f(value: any): Map<string, number> {}", ": any"],
    ["a.js", "/** @type {any} */ (cart)", "@type {any}"],
    ["a.js", "/* eslint-disable no-unused-vars */", "eslint-disable"],
    ["a.js", "call(); // eslint-disable-line", "eslint-disable-line"],
    ["a.js", "/* eslint eqeqeq: 0 */", "eslint eqeqeq:"],
    ["a.js", "/* global thing, other */", "global thing"],
    ["a.js", "// oxlint-disable", "oxlint-disable"],
    ["a.js", "// biome-ignore lint: later", "biome-ignore"],
    ["a.js", "// some-new-lint-disable-next-line", "some-new-lint-disable-next-line"],
    ["a.js", "/* c8 ignore next */", "c8 ignore"],
    ["a.js", "// prettier-ignore", "prettier-ignore"],
    ["a.js", "export const sum = new Function('rows', body);", "new Function("],
    ["a.py", "exec(Path('body.txt').read_text())", "exec("],
    ["a.py", "x = 1  # type: ignore[assignment]", "type: ignore[assignment]"],
    ["a.py", "x = 1  # because of that # noqa: E501", "noqa:"],
    ["a.py", "# ruff: noqa", "ruff: noqa"],
    ["a.py", "# pylint: disable=all", "pylint: disable=all"],
    ["a.py", "# pylint: skip-file", "pylint: skip-file"],
    ["a.py", "# mypy: ignore-errors", "mypy: ignore-errors"],
    ["a.py", "def f() -> Any:", "-> Any"],
    ["a.py", "if debug:  # pragma: no cover", "pragma: no cover"],
    ["a.sh", "# shellcheck disable=SC2086", "shellcheck disable=SC2086"],
    ["a.go", "a() //nolint:errcheck", "nolint:errcheck"],
    ["a.rs", "#![allow(dead_code)]", "#![allow(dead_code)"],
    ["a.rs", '#[expect(unused, reason = "later")]', '#[expect(unused, reason = "")'],
    ["A.java", '@SuppressWarnings("all")', "@SuppressWarnings"],
    ["a.c", '#pragma GCC diagnostic ignored "-Wall"', "#pragma GCC diagnostic ignored"],
    ["a.rb", "x = 1 # rubocop:disable all", "rubocop:disable"],
    ["a.php", "/** @phpstan-ignore argument.type */", "@phpstan-ignore argument"],
  ])("a linter is found in %s: %s", (path, text, found) => {
    expect(wordsIn(path, text)).toEqual([found]);
  });

  it.each([
    ["a.ts", "const ignored = 'as any';"],
    ["a.ts", "// any list may be as any other"],
    ["a.ts", "const text = `\n// @ts-ignore\n`;"],
    ["a.js", "// we ignore the rest, and skip blanks"],
    ["a.js", "/* global state is kept here */"],
    ["a.py", '"""\n# noqa\n"""'],
    ["a.py", "def f(data: dict[str, Any]) -> None:"],
    ["a.sh", 'echo "$#" # shellcheck is happy'],
    ["a.c", "#pragma once"],
    ["test/a.test.ts", "const cart = {} as any;"],
  ])("%s doesn't: %s", (path, text) => {
    expect(wordsIn(path, text)).toEqual([]);
  });

  it("counts for those alone that would report it", () => {
    expect(wordsIn("a.ts", "// @ts-ignore\n// eslint-disable-line\n", new Set(["rules"]))).toEqual([
      "eslint-disable-line",
    ]);
    expect(
      wordsIn("a.ts", "// @ts-ignore\n// prettier-ignore\n// eslint-disable-line\n", new Set(["types"])),
    ).toEqual(["@ts-ignore"]);
  });

  it("reads a hostile text in one go", () => {
    const hostile = [
      "/*".repeat(50_000),
      "a-".repeat(50_000),
      '"\\'.repeat(50_000),
      "// a-b-".repeat(20_000),
    ];
    for (const text of hostile) expect(wordsIn("a.ts", text)).toEqual([]);
  });
});

describe("what is new", () => {
  const at = (path: string, word: string): Suppression => ({ path, line: 1, word });

  it("is one more of the same", () => {
    const one = at("a.ts", "@ts-ignore");
    expect(newSuppressions([one], [one, { ...one, line: 2 }])).toEqual([{ ...one, line: 2 }]);
    expect(newSuppressions([one, at("a.ts", "noqa")], [one])).toEqual([]);
  });

  it("isn't what moved with its file, while what is there twice is", () => {
    const before = [at("old.ts", "as any"), at("b.ts", "as any")];
    expect(newSuppressions(before, [at("new.ts", "as any"), at("b.ts", "as any")])).toEqual([]);
    expect(newSuppressions(before, [...before, at("new.ts", "as any")])).toEqual([at("new.ts", "as any")]);
  });
});

describe("what the spec asks for", () => {
  it.each([
    ["Add an eslint-disable comment to the generated file.", "eslint-disable", true],
    ["Suppress the deprecation warnings in src/old.c", "#pragma GCC diagnostic ignored", true],
    ["Make the value `any`.", ": any", true],
    ["Fix any problem that tsc reports.", ": any", false],
    ["Fix it without eslint-disable comments.", "eslint-disable", false],
    ["Don't disable the rule.", "eslint-disable", false],
    ["Replace each @ts-ignore by a type.", "@ts-ignore", false],
    ["Fix the types of total().", "@ts-ignore", false],
  ])("is found in its words: %j asks for %s: %s", (spec, word, isAsked) => {
    expect(isAskedFor(spec, { word })).toBe(isAsked);
  });

  it("may be a file in its place", () => {
    expect(namesFile("Move a.sh to `bin/a`.", "bin/a")).toBe(true);
    expect(namesFile("Move a.sh to bin/ab.", "bin/a")).toBe(false);
  });
});
