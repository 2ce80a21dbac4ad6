import { expect, it } from "vitest";
import { lostTypes } from "./lost-types.ts";

const TYPED = "def size(x: str) -> int:\n    return x\n\n\ndef plain(a):\n    return a\n";

it("a function that had types and has none is told, by its line", () => {
  const found = lostTypes("a.py", `\n${TYPED.replace("(x: str) -> int", "(x)")}`, TYPED);
  expect(found).toEqual([{ path: "a.py", line: 2, word: "def size without its types" }]);
});

it("nothing is said of other types, of functions that never had any, or of other languages", () => {
  expect(lostTypes("a.py", TYPED.replace("x: str", "x: bytes"), TYPED)).toEqual([]);
  expect(lostTypes("a.py", TYPED.replace("plain(a)", "plain(a, b)"), TYPED)).toEqual([]);
  expect(lostTypes("a.rb", "def size(x):\n", TYPED)).toEqual([]);
});
