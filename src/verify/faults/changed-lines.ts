import { Code } from "./code.ts";
import type { Token } from "./tokens.ts";

/** How many lines around a removal count as changed. */
const AROUND = 3;

/** The lines of a text that are not in an earlier one, from 1; where lines were only removed or moved, those around. */
export function changedLines(now: string, then: string | null): ReadonlySet<number> {
  const lines = now.split("\n");
  if (then === null) return new Set(range(1, lines.length));
  const old = then.split("\n");
  let first = 0;
  while (first < lines.length && lines[first] === old[first]) first += 1;
  let same = 0;
  while (
    same < Math.min(lines.length, old.length) - first &&
    lines[lines.length - 1 - same] === old[old.length - 1 - same]
  )
    same += 1;
  const last = lines.length - same;
  const known = new Map<string, number>();
  for (const line of old.slice(first, old.length - same))
    known.set(line.trim(), (known.get(line.trim()) ?? 0) + 1);
  const changed = new Set<number>();
  for (let index = first; index < last; index += 1) {
    const text = (lines[index] ?? "").trim();
    const left = known.get(text) ?? 0;
    if (left > 0) known.set(text, left - 1);
    else if (text !== "") changed.add(index + 1);
  }
  if (changed.size > 0 || now === then) return changed;
  return new Set(range(Math.max(1, first + 1 - AROUND), Math.min(lines.length, last + AROUND)));
}

/** A changed file, and its changed lines. */
interface Changed {
  readonly now: string;
  readonly before: string | null;
  readonly lines: ReadonlySet<number>;
}

/** The changed lines of each file, without those that differ by a new name alone: they do nothing that others didn't before. */
export function withoutRenamed(files: readonly Changed[]): readonly ReadonlySet<number>[] {
  const old = countsIn(files.map(({ before }) => before ?? ""));
  const now = countsIn(files.map((each) => each.now));
  // Something else may still have a name that is gone: a list its `push`.
  const gone = new Set([...old.keys()].filter((word) => (now.get(word) ?? 0) < (old.get(word) ?? 0)));
  const added = new Set([...now.keys()].filter((word) => !old.has(word)));
  if (gone.size === 0 || added.size === 0) return files.map(({ lines }) => lines);
  const without = (line: string, names: ReadonlySet<string>): string =>
    line.replace(WORD, (word) => (names.has(word) ? "\0" : word)).trim();
  return files.map(({ now: text, before, lines }) => {
    if (before === null) return lines;
    const all = text.split("\n");
    const known = new Set(before.split("\n").map((line) => without(line, gone)));
    const isRenamed = (line: string): boolean => {
      const bare = without(line, added);
      return bare.includes("\0") && known.has(bare);
    };
    return new Set([...lines].filter((line) => !isRenamed(all[line - 1] ?? "")));
  });
}

const WORD = /[A-Za-z_]\w{2,80}/g;

function countsIn(texts: readonly string[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const text of texts)
    for (const [word] of text.matchAll(WORD)) counts.set(word, (counts.get(word) ?? 0) + 1);
  return counts;
}

function range(from: number, to: number): readonly number[] {
  return Array.from({ length: Math.max(0, to - from + 1) }, (_, index) => from + index);
}

/**
 * The lines of functions that have another header than any did before: another name, or other parameters. Where only names
 * changed, faults belong into what has them.
 */
export function linesOfChangedFunctions(path: string, now: string, then: string | null): ReadonlySet<number> {
  const code = Code.of(path, now);
  const old = then === null ? null : Code.of(path, then);
  if (code === null || old === null) return new Set();
  const known = new Set(functionsOf(old).map(({ header }) => textOf(header)));
  return new Set(
    functionsOf(code)
      .filter(({ header }) => !known.has(textOf(header)))
      .map(({ line }) => line),
  );
}

function functionsOf(code: Code): readonly { readonly header: readonly Token[]; readonly line: number }[] {
  return code.tokens.flatMap(({ line }, index) => {
    const { header } = code.surroundingsOf(index);
    return header === null ? [] : [{ header, line }];
  });
}

function textOf(header: readonly Token[]): string {
  return header.map(({ text }) => text).join(" ");
}
