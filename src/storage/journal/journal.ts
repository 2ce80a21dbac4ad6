import { ImpossibleEvent, type LoopEvent } from "../../core/events/event.ts";
import type { LoopId } from "../../core/loop/id.ts";
import type { Loop } from "../../core/loop/loop.ts";
import { BEFORE_THE_FIRST, type JournalRecord } from "./record.ts";
import { evolveAll } from "../../core/events/evolve.ts";
import { JournalError } from "./journal-error.ts";

/** A reader's position: the last record that counts, and where it begins, in the store's unit (for a file, bytes). */
export interface Cursor {
  readonly seq: number;
  readonly sum: string;
  readonly start: number;
}

export const AT_THE_BEGINNING: Cursor = { ...BEFORE_THE_FIRST, start: 0 };

/** A loop folded from its records, up to a cursor. */
export interface LoadedJournal {
  readonly loop: Loop;
  readonly cursor: Cursor;
}

export type Appended =
  /** Stored durably, and the first to follow the cursor. */
  | { readonly type: "won"; readonly cursor: Cursor }
  /** Others were first, so ours doesn't count. Decide again with their records. */
  | { readonly type: "lost"; readonly cursor: Cursor; readonly records: readonly JournalRecord[] };

export type EachRecord = (record: JournalRecord, cursor: Cursor) => void;

/** Reads from where it last stopped. */
export interface Follower {
  /**
   * Reports every record appended since the last call, by anyone, once, even with two calls at the same time. The cost depends
   * on what is new. Returns how far the journal goes.
   */
  next(each: EachRecord): Promise<Cursor>;
}

/**
 * The truth about one loop, wherever it is kept. Failures throw a `JournalError` within a bounded time. Everybody reads what was
 * acknowledged from then on.
 */
export interface Journal {
  /** `fromScratch` ignores snapshots. */
  load(options?: { readonly fromScratch?: boolean }): Promise<LoadedJournal>;
  /** Appends one record after the cursor, if nobody else has yet. */
  append(after: Cursor, at: number, events: readonly LoopEvent[]): Promise<Appended>;
  follow(from: Cursor): Follower;
  /** May save a snapshot at this cursor, so the next load reads only what follows. It may be lost. */
  remember(known: LoadedJournal): void;
  /** Drops snapshots, whoever saved them. */
  forget(): void;
}

/** A journal from outside. */
export interface JournalOutside {
  /** Another one once something was appended. */
  readonly mark: string;
  /** When somebody last wrote to it, which may have changed nothing. */
  readonly changedAt: number;
}

/** The journals of one project. */
export interface Journals {
  /** The loops that have a journal, most recently changed first; empty if unknown. They may not load or be trusted. */
  list(): Promise<readonly LoopId[]>;
  /** The same in any order, with what can be told of each without reading it. */
  survey(): Promise<ReadonlyMap<LoopId, JournalOutside>>;
  of(id: LoopId): Journal;
  /** Begins a journal atomically. Throws `exists` if there already is one. */
  create(id: LoopId, at: number, events: readonly LoopEvent[]): Promise<Cursor>;
}

/** The loop after a record; null before the first one. */
export function foldRecord(loop: Loop | null, record: JournalRecord): Loop {
  try {
    return evolveAll(loop, record.events, record.at);
  } catch (error) {
    if (!(error instanceof ImpossibleEvent)) throw error;
    // Without the cause's message, which may repeat untrusted names from the journal.
    throw new JournalError("corrupt", `the journal has an impossible event at record ${record.follows + 1}`, {
      cause: error,
    });
  }
}
