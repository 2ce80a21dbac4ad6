import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { quoted } from "./tokenize.ts";
import { simpleCommands } from "./simple-commands.ts";

function words(line: string): readonly (readonly string[])[] {
  return simpleCommands(line).map((each) => each.words);
}

describe("simple commands", () => {
  it.each([
    ["a b  c", [["a", "b", "c"]]],
    ["a && b || c; d | e & f", [["a"], ["b"], ["c"], ["d"], ["e"], ["f"]]],
    ["a 'b c' \"d 'e'\" f\\ g h\"i\"j", [["a", "b c", "d 'e'", "f g", "hij"]]],
    ["a > out 2>&1 < in >> more &> all", [["a"]]],
    ["a 2 > out", [["a", "2"]]],
    ["a # b && c\nd", [["a"], ["d"]]],
    ["a#b", [["a#b"]]],
    ["a \\\n  b", [["a", "b"]]],
    ["a <<END\nb && c\nEND\nd", [["a"], ["d"]]],
    ["a $(b | c) `d`", [["a", "$(b | c)", "`d`"]]],
    ["diff <(a) <(b)", [["diff", "<(a)", "<(b)"]]],
    ["A=1 B='2 3' c D=4", [["c", "D=4"]]],
    ["if a; then b; else c; fi", [["a"], ["b"], ["c"], ["fi"]]],
    ["( a; b )", [["a"], ["b"]]],
    ["a 'never closed", [["a", "never closed"]]],
    ["", []],
  ])("are found in %j", (line, expected) => {
    expect(words(line)).toEqual(expected);
  });

  it("know their neighbours", () => {
    const [first, second, third] = simpleCommands("! a | b && (c)");
    expect(first).toMatchObject({ negated: true, before: null, after: "|" });
    expect(second).toMatchObject({ before: "|", after: "&&", depth: 0 });
    expect(third).toMatchObject({ before: "&&", depth: 1 });
  });

  it("give back every word that was quoted", () => {
    fc.assert(
      fc.property(
        fc.array(fc.string({ minLength: 1, maxLength: 20 }), { minLength: 1, maxLength: 5 }),
        (list) => {
          const line = ["run", ...list.map((word) => quoted(word))].join(" ");
          expect(words(line)).toEqual([["run", ...list]]);
        },
      ),
    );
  });
});
