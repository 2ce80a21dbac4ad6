import { expect, it } from "vitest";
import { keptLines } from "./kept-lines.ts";

const THEN = "function one() {\n  return 1;\n}\n\n\n\n\n\nfunction two() {\n  return 2;\n}\n";

it("finds what a changed function had before, and nothing of others", () => {
  const now = THEN.replace("  return 2;", "  if (isTested()) return 3;\n  return 2;");

  expect(keptLines("a.js", now, THEN)).toEqual({ lines: new Set([11]), isAroundOnly: false });
});

it("finds the lines of all functions where only something around them changed", () => {
  const now = `// only here\n\n\n\n\n\n${THEN}`;

  expect(keptLines("a.js", now, THEN)).toEqual({ lines: new Set([8, 16]), isAroundOnly: true });
});
