import { describe, expect, test } from "vitest";
import { edited } from "./edit.ts";

describe("an edit", () => {
  test.each([
    ["replaces a text", "a = 1;", "1", "2", "a = 2;"],
    ["adds to a text", "import a;\n", "import a;", "import a;\nimport b;", "import a;\nimport b;\n"],
    ["takes a text out", "a b c", " b", "", "a c"],
    ["takes its words as they are", "cost: $1", "$1", "$& and $'", "cost: $& and $'"],
  ])("%s, once however often it is made", (_, text, from, to, expected) => {
    expect(edited(text, from, to)).toBe(expected);
    expect(edited(expected, from, to)).toBe(expected);
  });

  test.each([
    ["not there", "a = 1;", "b", "the text to replace was not found"],
    ["there twice", "a a", "a", "the text to replace occurs more than once"],
  ])("of a text that is %s is refused", (_, text, from, message) => {
    expect(() => edited(text, from, "z")).toThrow(message);
  });
});
