import type { Code } from "./code.ts";

/** A part of a text, and what comes instead. */
export interface Edit {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** A small fault that can be put into a line. */
export interface Fault {
  readonly line: number;
  /** What is done to it, for people. */
  readonly change: string;
  readonly edits: readonly Edit[];
  readonly kind: Kind;
  /** The lower, the surer somebody notices who looks at what the line does. */
  readonly rank: number;
}

/** How sure a fault is to be noticed, and what a loop needs to come to its end. */
const RANKS = {
  comparison: 0,
  boolean: 1,
  returned: 1,
  condition: 2,
  arithmetic: 2,
  join: 3,
  skipped: 3,
  number: 4,
  text: 5,
  message: 8,
} as const;

export type Kind = keyof typeof RANKS;

/** Faults of one kind that begin at a token. */
export type FaultMaker = (code: Code, index: number) => readonly Fault[];

export function faultAt(
  code: Code,
  index: number,
  kind: Kind,
  change: string,
  edits: readonly Edit[],
): readonly Fault[] {
  const line = code.at(index)?.line ?? 0;
  const isSame = edits.every(({ start, end, text }) => code.text.slice(start, end) === text);
  return isSame ? [] : [{ line, change, edits, kind, rank: RANKS[kind] }];
}

/** The token becomes something else. */
export function swapped(code: Code, index: number, kind: Kind, by: string): readonly Fault[] {
  const token = code.at(index);
  if (token === null) return [];
  const { start, end, text } = token;
  return faultAt(code, index, kind, `${text} becomes ${by}`, [{ start, end, text: by }]);
}

/** What is between two tokens, both included, becomes something else, which it is a part of. Faults inside it stay possible. */
export function wrapped(
  code: Code,
  [from, to]: readonly [number, number],
  kind: Kind,
  change: string,
  by: (text: string) => string | null,
): readonly Fault[] {
  const start = code.at(from)?.start ?? 0;
  const end = code.at(to)?.end ?? 0;
  const [before, after] = by(INSIDE)?.split(INSIDE) ?? [];
  if (before === undefined || after === undefined) return [];
  return faultAt(code, from, kind, change, [
    { start, end: start, text: before },
    { start: end, end, text: after },
  ]);
}

const INSIDE = "\u0000";
