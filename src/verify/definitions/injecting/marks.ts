/**
 * What injected code leaves behind: a word in a file outside the project whose path nobody can expect. Runners swallow what is
 * printed, and a source could print it too.
 */
export interface Marker {
  readonly path: string;
  /** Letters and digits that nobody can expect, for names. */
  readonly nonce: string;
  /** Which of the injected files it is. */
  readonly file: number;
}

/**
 * - `loaded`: the file begins to load. `read`: its end was reached.
 * - `ran`: a failing test began. `survived`: it got beyond its failure.
 * - `reached`: an assertion whose expected value was altered is next. `kept`: it passed all the same.
 */
export type MarkKind = "loaded" | "read" | "ran" | "survived" | "reached" | "kept";

export function markOf({ file }: Pick<Marker, "file">, kind: MarkKind, id = 0): string {
  return `${kind}-${file}-${id}`;
}

/** How often each kind of mark was left by a file. */
export type SeenMarks = ReadonlyMap<string, number>;

const LONGEST_MARKS = 200_000;

export function readMarks(text: string): SeenMarks {
  const seen = new Map<string, number>();
  for (const line of text.slice(0, LONGEST_MARKS).split("\n"))
    if (line !== "") seen.set(line, (seen.get(line) ?? 0) + 1);
  return seen;
}

/** How often a file left marks of this kind, of any id or of one. */
export function countOf(seen: SeenMarks, kind: MarkKind, file: number, id?: number): number {
  if (id !== undefined) return seen.get(markOf({ file }, kind, id)) ?? 0;
  const start = `${kind}-${file}-`;
  return [...seen].reduce((sum, [mark, count]) => sum + (mark.startsWith(start) ? count : 0), 0);
}

/** The text with something inserted. */
export function insertedAt(text: string, at: number, inserted: string): string {
  return text.slice(0, at) + inserted + text.slice(at);
}
