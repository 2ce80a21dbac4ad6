import { expect, test } from "vitest";
import { diffLines } from "./text-diff.ts";

function shown(before: string, after: string): string {
  return diffLines(before, after)
    .map(({ sign, text }) => sign + text)
    .join("\n");
}

test("a diff shows what went and what came, with two lines around it", () => {
  expect(shown("1\n2\n3\n4\n5\n6\n7\n8\n", "1\n2\n3\n4\nfive\n6\n7\n8\n")).toBe(
    " 3\n 4\n-5\n+five\n 6\n 7\n…",
  );
});

test("a diff marks what lies between two changes", () => {
  const before = "a\nb\n1\n2\n3\n4\n5\n6\nc\n";
  expect(shown(before, before.replace("b\n", "B\n").replace("c\n", ""))).toBe(
    " a\n-b\n+B\n 1\n 2\n…\n 5\n 6\n-c",
  );
});

test("a new file is all new, and no change shows nothing", () => {
  expect(shown("", "a\nb\n")).toBe("+a\n+b");
  expect(shown("a\r\nb\r\n", "a\nb\n")).toBe("");
});
