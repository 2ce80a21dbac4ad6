import { expect, test } from "vitest";
import { printable, printedText, wholeWords } from "./plain-text.ts";

test.each([
  ["colours", "\u001b[1;31mred\u001b[0m", "red"],
  ["colours with colons", "\u001b[38:2::255:0:0mred\u001b[m", "red"],
  ["cursor moves", "\u001b[2K\u001b[1Gdone\u001b[?25h", "done"],
  ["character sets", "\u001b(Bplain\u001b[m", "plain"],
  ["saved cursors", "\u001b7here\u001b8", "here"],
  ["titles", "\u001b]0;a title\u0007text", "text"],
  ["links", "\u001b]8;;http://a/\u001b\\name\u001b]8;;\u001b\\", "name"],
  ["device strings", "\u001bP1;2|data\u001b\\text", "text"],
  ["eight-bit sequences", "\u009b31mred", "red"],
  ["other control characters", "a\u0000\u0007b\u007f\u202ec", "abc"],
])("%s are taken out", (_, text, plain) => {
  expect(printable(text)).toBe(plain);
});

test("a text for the terminal that is never closed hides no other line", () => {
  expect(printable("\u001b]0;open\nAssertionError: 1 is not 2")).toBe("\nAssertionError: 1 is not 2");
});

test("tabs and line breaks stay", () => {
  expect(printable("a\tb\r\nc\rd")).toBe("a\tb\nc\nd");
});

test("of a line that was written over, the last text is left", () => {
  expect(printedText("10 %\r50 %\r100 %\r\nnext\rlast")).toBe("100 %\nlast");
  expect(printedText("a\r\r\nb\r")).toBe("a\nb");
});

test("a text is shortened between two words", () => {
  expect(wholeWords("Fix total() in src/cart.js: quantities are ignored", 40)).toBe(
    "Fix total() in src/cart.js: quantities …",
  );
  expect(wholeWords("short", 40)).toBe("short");
  expect(wholeWords("a".repeat(50), 10)).toBe(`${"a".repeat(9)}…`);
});
