import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { chosenMutants, mutantsOf } from "./mutants.ts";

describe("faults", () => {
  test.each<readonly [file: string, line: string, mutated: readonly string[]]>([
    ["a.js", "  if (a === b) {", ["  if (a !== b) {", "  if (!(a === b)) {"]],
    ["a.ts", "  return sum;", ["  return;"]],
    ["a.ts", "  save(user);", [""]],
    ["a.go", "  if n < 10 {", ["  if n >= 10 {", "  if n < 11 {"]],
    ["a.py", "    if total > 0 and ok:", ["total <= 0", "or ok", "if not (total > 0 and ok):", "total > 1"]],
    ["a.py", "    return total", ["    return None"]],
    ["a.rb", "  return true", ["  return false", "  return nil"]],
  ])("%s: %s", (file, line, mutated) => {
    const texts = mutantsOf(file, 1, line).map(({ text }) => text);
    for (const each of mutated)
      expect(texts.some((text) => (each.trim() === "" ? text.trim() === "" : text.includes(each)))).toBe(
        true,
      );
  });

  test.each<readonly [file: string, line: string]>([
    ["a.js", "// if (a === b) return true;"],
    ["a.js", 'import { a } from "b";'],
    ["a.js", 'const text = "a === b";'],
    ["a.py", "# return 1"],
    ["a.md", "a === b"],
    ["a.js", "}"],
  ])("none in %s: %s", (file, line) => {
    expect(mutantsOf(file, 1, line)).toEqual([]);
  });

  test("each changes its line, and only what it says, whatever the line is", () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 80 }), fc.constantFrom("a.js", "a.py", "a.rb"), (line, file) => {
        for (const { text } of mutantsOf(file, 1, line)) expect(text).not.toBe(line);
      }),
    );
  });
});

function changed(length: number): Parameters<typeof chosenMutants>[0] {
  return Array.from({ length }, (_, index) => ({
    file: "a.js",
    line: index + 1,
    text: "if (a === 1 && b) {",
  }));
}

test.each([2, 50, 306, 1008])("each of %s lines is looked at before one is looked at again", (count) => {
  const chosen = chosenMutants(changed(count), count);
  expect(new Set(chosen.map(({ line }) => line)).size).toBe(count);
});

test("few mutants look at many lines", () => {
  const lines = changed(50);
  const chosen = chosenMutants(lines, 10);
  expect(new Set(chosen.map(({ line }) => line)).size).toBe(10);
  expect(Math.max(...chosen.map(({ line }) => line))).toBeGreaterThan(25);
  expect(chosenMutants(lines.slice(0, 1), 10).length).toBeGreaterThan(1);
  expect(chosenMutants([], 10)).toEqual([]);
});
