import { expect, test } from "vitest";
import { readableFiles, shownDiff, type DiffFile } from "./work-diff.ts";

const file = (path: string, ...texts: readonly string[]): DiffFile => ({
  path,
  lines: texts.map((text, index) => ({ kind: "added", line: index + 1, text })),
});
const stat = (path: string, added: number | null = 1) => ({
  path,
  added,
  removed: added === null ? null : 0,
});

test("generated, huge and binary files aren't read", () => {
  const stats = [
    stat("src/a.js"),
    stat("package-lock.json"),
    stat("dist/a.js"),
    stat("logo.png", null),
    stat("data.csv", 1_000_000),
  ];
  expect(readableFiles(stats)).toEqual(["src/a.js"]);
});

test("what doesn't fit is named, and counts as unseen", () => {
  const diff = {
    stats: [stat("a.js"), stat("b.js", 3), stat("c.png", null)],
    files: [file("a.js", "one"), file("b.js", "x".repeat(300))],
  };
  const shown = shownDiff(diff, 100);
  expect(shown.text).toBe(
    "=== a.js\n@@ line 1 @@\n+one\n\nChanged too, and not shown here:\nb.js (+3 −0)\nc.png (not text)",
  );
  expect(shown).toMatchObject({ unseen: ["b.js", "c.png"], files: [{ path: "a.js" }] });
});

test("ten thousand changed files stay within bounds", () => {
  const stats = Array.from({ length: 10_000 }, (_, index) => stat(`src/file-${index}.js`));
  const { text, unseen } = shownDiff({ stats, files: [] }, 1_000);
  expect(text.length).toBeLessThan(20_000);
  expect(text).toContain("and 9700 more");
  expect(unseen).toHaveLength(10_000);
});
