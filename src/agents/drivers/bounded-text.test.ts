import { expect, test } from "vitest";
import { beginningOf, detailOf, detailWithReason, endOf, LONGEST_DETAIL } from "./bounded-text.ts";

test.each([
  ["as it is when it fits", "abcdef", 6, "abcdef"],
  ["marked where it is cut", "abcdef", 4, "abc…"],
  ["without half a character", "ab😀def", 4, "ab…"],
])("a beginning is %s", (_, text, limit, expected) => {
  expect(beginningOf(text, limit)).toBe(expected);
});

test.each([
  ["as it is when it fits", "ab\ncd", 5, "ab\ncd"],
  ["of whole lines", "one\ntwo\nthree", 10, "two\nthree"],
  ["of whole lines where the cut is at a line's start", "one\ntwo\nthree", 9, "two\nthree"],
  ["without the first words of a line", "say EXIT_SIGNAL: true\nno", 20, "no"],
  ["of the last line alone when that is too long", "a\nbcdefgh", 4, "efgh"],
  ["of the last line alone when a line end follows", "a\nbcdefgh\n", 4, "fgh\n"],
  ["without half a character", "abc😀de", 3, "de"],
])("an end is %s", (_, text, limit, expected) => {
  expect(endOf(text, limit)).toBe(expected);
});

test("a detail is one bounded line without colours and control characters", () => {
  expect(detailOf(" \u001b[31mone\u001b[0m\r\n\ttwo\u0007\u009b ")).toBe("one two");
  expect(detailOf("x".repeat(100_000))).toHaveLength(LONGEST_DETAIL);
});

test.each([
  ["the last line", "starting\nno key\n\n", "it failed: no key"],
  [
    "the line that tells of a failure",
    "Error: no key\n    at failing (a.js:1:1)\n\nNode.js v20.0.0\n",
    "it failed: Error: no key",
  ],
  ["nothing more where nothing was said", " \n", "it failed"],
])("what happened is explained with %s", (_, stderr, expected) => {
  expect(detailWithReason("it failed", stderr)).toBe(expected);
});
