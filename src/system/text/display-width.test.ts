import { expect, test } from "vitest";
import { displayWidth, fitted, padded, wrapped } from "./display-width.ts";

/** The kinds of text that are counted wrong most easily, each with what terminals give it. */
const WIDTHS: { readonly [kind: string]: readonly (readonly [text: string, width: number])[] } = {
  plain: [
    ["plain text", 10],
    ["", 0],
    ["✓ ✗ ○ … · ⠹", 11],
    ["é", 1],
    ["я Ω ─ █", 7],
  ],
  "East Asian": [
    ["日本語", 6],
    ["𠀀", 2],
    ["한국어", 6],
    ["Ａ１￥", 6],
    ["、。「」", 8],
    ["コード", 6],
    ["か\u3099", 2],
    ["㈱㎞", 4],
    ["ㄅㄆ", 4],
    ["ꀀ", 2],
    ["\u3000", 2],
  ],
  "of half width": [
    ["ﾊﾝｶｸ", 4],
    ["ｶﾞ", 2],
    ["ﾡ", 1],
  ],
  "Hangul letters": [
    ["ㄱ", 2],
    ["\u1100", 2],
    ["\u1100\u1161", 2],
    ["\u1100\u1161\u11a8", 2],
    ["\u1161", 1],
    ["\u3164", 0],
  ],
  emoji: [
    ["🎉", 2],
    ["👍🏽", 2],
    ["☝🏽", 2],
    ["👩‍👩‍👧‍👦", 2],
    ["🫱🏻‍🫲🏾", 2],
    ["🏳️‍🌈", 2],
    ["🇩🇪", 2],
    ["🇩🇪🇫", 3],
    ["🏴󠁧󠁢󠁥󠁮󠁧󠁿", 2],
    ["1️⃣", 2],
    ["1⃣", 2],
  ],
  "with a variation selector": [
    ["⚠️", 2],
    ["⚠", 1],
    ["❤️", 2],
    ["☺︎", 1],
    ["5\ufe0f", 1],
  ],
  "with marks": [
    ["e\u0301", 1],
    ["a\u0300\u0301\u0302", 1],
    ["\u0301", 0],
    ["a\u20dd", 1],
    ["שָׁ", 1],
    ["नि", 2],
  ],
  "that takes no room": [
    ["a\u200bb", 2],
    ["\u200d", 0],
    ["a\u00adb", 2],
    ["\ufeff", 0],
    ["\u2060", 0],
    ["\u001b[32mgreen\u001b[39m", 5],
  ],
  "that some terminals widen": [
    ["±°", 2],
    ["①", 1],
    ["“”", 2],
  ],
};

const CASES = Object.entries(WIDTHS).flatMap(([kind, rows]) =>
  rows.map(([text, width]) => [kind, text, width] as const),
);

test.each(CASES)("text %s: %j takes %i columns", (_, text, width) => {
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
  ["コード", 5, "コー…"],
  ["nothing", 0, ""],
  ["nothing", -3, ""],
])("%s within %i columns is %s", (text, width, expected) => {
  expect(fitted(text, width)).toBe(expected);
});

test("padding counts columns, not characters", () => {
  expect(padded("日本", 6)).toBe("日本  ");
  expect(padded("longer", 3)).toBe("longer");
  expect(padded("\u001b[1mbold\u001b[22m", 6)).toBe("\u001b[1mbold\u001b[22m  ");
});

test("lines fit, words stay whole, and what follows is indented", () => {
  const text = "[LOOP] Iteration 1/10 | Cost: $0/$25 | Step: Fix total() in src/cart.js";
  const lines = wrapped(text, 40, "       ").split("\n");
  expect(lines).toEqual([
    "[LOOP] Iteration 1/10 | Cost: $0/$25 |",
    "       Step: Fix total() in src/cart.js",
  ]);
  expect(lines.every((line) => displayWidth(line) <= 40)).toBe(true);
});

test("what fits is left alone, wide characters take two columns, and a long word is not broken", () => {
  expect(wrapped("  as it is", 20, " ")).toBe("  as it is");
  expect(wrapped("日本 日本", 8, "")).toBe("日本\n日本");
  expect(wrapped("a /very/long/path b", 5, " ")).toBe("a\n /very/long/path\n b");
});
