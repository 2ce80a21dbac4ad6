import { expect, test } from "vitest";
import { displayWidth, fitted, padded } from "./display-width.ts";

test.each([
  ["plain text", 10],
  ["", 0],
  ["✓ ✗ ○ … · ⠹", 11],
  ["日本語", 6],
  ["ﾊﾝｶｸ", 4],
  ["한국어", 6],
  ["Ａ１", 4],
  ["🎉", 2],
  ["👩‍👩‍👧‍👦", 2],
  ["⚠️", 2],
  ["⚠", 1],
  ["🇩🇪", 2],
  ["e\u0301", 1],
  ["a\u200bb", 2],
  ["é", 1],
])("%s takes %i columns", (text, width) => {
  expect(displayWidth(text)).toBe(width);
});

test.each([
  ["fits exactly", 12, "fits exactly"],
  ["is cut here", 6, "is cu…"],
  ["no space before", 3, "no…"],
  ["日本語です", 6, "日本…"],
  ["日本語です", 5, "日本…"],
  ["👩‍👩‍👧‍👦 family", 3, "👩‍👩‍👧‍👦…"],
  ["🎉🎉", 2, "…"],
  ["nothing", 0, ""],
  ["nothing", -3, ""],
])("%s within %i columns is %s", (text, width, expected) => {
  expect(fitted(text, width)).toBe(expected);
});

test("padding counts columns", () => {
  expect(padded("日本", 6)).toBe("日本  ");
  expect(padded("longer", 3)).toBe("longer");
});
