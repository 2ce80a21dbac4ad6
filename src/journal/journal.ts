import type { LoopEvent } from "../core/event.ts";
import type { LoopId } from "../core/id.ts";
import type { Loop } from "../core/loop.ts";
import type { JournalRecord } from "./record.ts";
import { BEFORE_THE_FIRST } from "./record.ts";

/** Where a reader is: the last record that counts, and where that begins, as the store counts it (a file: in bytes). */
export interface Cursor {
  readonly seq: number;
  readonly sum: string;
  readonly start: number;
}

export const AT_THE_BEGINNING: Cursor = { ...BEFORE_THE_FIRST, start: 0 };

/** A loop as its records tell it, up to a cursor. */
export interface LoadedJournal {
  readonly loop: Loop;
  readonly cursor: Cursor;
}

export type Appended =
  /** Kept for good, and the first to follow the cursor. */
  | { readonly type: "won"; readonly cursor: Cursor }
  /** Others came first; nothing of ours counts. Decide again on what they wrote. */
  | { readonly type: "lost"; readonly cursor: Cursor; readonly records: readonly JournalRecord[] };

export type EachRecord = (record: JournalRecord, cursor: Cursor) => void;

/** Reads on from where it last was. */
export interface Follower {
  /**
   * Tells every record that was appended since the last call, whoever appended it; once, also when it is called twice at the same
   * time. Costs what is new, not what is there. Returns how far the journal goes.
   */
  next(each: EachRecord): Promise<Cursor>;
}

/**
 * The truth about one loop, wherever it is kept. Whatever cannot be done throws a `JournalError`, within a bounded time. What was
 * acknowledged is read by everybody from then on.
 */
export interface Journal {
  /** `fromScratch` believes nothing that was remembered. */
  load(options?: { readonly fromScratch?: boolean }): Promise<LoadedJournal>;
  /** Appends one record behind the cursor, if nobody else has yet. */
  append(after: Cursor, at: number, events: readonly LoopEvent[]): Promise<Appended>;
  follow(from: Cursor): Follower;
  /** May save a snapshot at this cursor, so that the next load reads only what follows. It may be lost. */
  remember(known: LoadedJournal): void;
  /** Drops what was remembered, by whomever. */
  forget(): void;
}

/** The journals of one project. */
export interface Journals {
  /** The loops that have a journal, the last changed first; none where nobody can tell. Whether they load, or may be believed, is another question. */
  list(): Promise<readonly LoopId[]>;
  of(id: LoopId): Journal;
  /** Begins a journal, whole or not at all. Where there is one already, it throws `exists`. */
  create(id: LoopId, at: number, events: readonly LoopEvent[]): Promise<Cursor>;
}
