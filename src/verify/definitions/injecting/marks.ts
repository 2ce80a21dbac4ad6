import { open } from "node:fs/promises";

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
 * - `failed`: a program came to its end with a failure of its own.
 */
export type MarkKind = "loaded" | "read" | "ran" | "survived" | "reached" | "kept" | "failed";

export function markOf({ file }: Pick<Marker, "file">, kind: MarkKind, id = 0): string {
  return `${kind}-${file}-${id}`;
}

/** How often each kind of mark was left by a file. */
export type SeenMarks = ReadonlyMap<string, number>;

/** Far more than the marks that are put in; a check that fills the file with words of its own gets no further. */
const MOST_MARKS = 100_000;

/**
 * Counts them, however many there are: an assertion in a loop leaves its mark each time, and what comes after the loop is as
 * telling as what comes before. No file: no marks.
 */
export async function readMarks(path: string): Promise<SeenMarks> {
  const seen = new Map<string, number>();
  const file = await open(path).catch(() => null);
  if (file === null) return seen;
  for await (const mark of file.readLines()) {
    const count = seen.get(mark) ?? 0;
    if (mark !== "" && (count > 0 || seen.size < MOST_MARKS)) seen.set(mark, count + 1);
  }
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
