/** A text by its path. */
type Texts = ReadonlyMap<string, string>;

const LEAST_ALIKE = 0.5;
const MOST_FILES = 200;

/** Where files went that are gone: to the added one with the same ending whose lines are most like theirs. */
export function movedFiles(gone: Texts, added: Texts): ReadonlyMap<string, string> {
  const moved = new Map<string, string>();
  for (const [path, text] of [...gone].slice(0, MOST_FILES)) {
    const lines = linesOf(text);
    let best = { path: "", alike: LEAST_ALIKE };
    for (const [other, now] of [...added].slice(0, MOST_FILES)) {
      if (endingOf(other) !== endingOf(path)) continue;
      const alike = likeness(lines, linesOf(now));
      if (alike > best.alike) best = { path: other, alike };
    }
    if (best.path !== "") moved.set(path, best.path);
  }
  return moved;
}

function endingOf(path: string): string {
  return /\.\w+$/.exec(path)?.[0] ?? "";
}

function linesOf(text: string): readonly string[] {
  return text
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "");
}

/** How many of their lines two files have in common, from 0 to 1. */
function likeness(one: readonly string[], other: readonly string[]): number {
  const left = new Map<string, number>();
  for (const line of one) left.set(line, (left.get(line) ?? 0) + 1);
  let common = 0;
  for (const line of other) {
    const count = left.get(line) ?? 0;
    if (count > 0) common += 1;
    left.set(line, count - 1);
  }
  return common / Math.max(1, one.length, other.length);
}
