import type { LoopEvent } from "../core/event.ts";
import type { Cursor } from "../journal/read.ts";
import { AT_THE_BEGINNING, readJournal } from "../journal/read.ts";

export interface JournalEntry {
  readonly seq: number;
  readonly at: number;
  readonly event: LoopEvent;
}

/** Reads what was appended since the last look, whoever appended it. Costs what is new, not what is there. */
export function followJournal(path: string, from: Cursor = AT_THE_BEGINNING): () => readonly JournalEntry[] {
  let cursor = from;
  return () => {
    const entries: JournalEntry[] = [];
    cursor = readJournal(path, cursor, (record, { seq }) => {
      for (const event of record.events) entries.push({ seq, at: record.at, event });
    });
    return entries;
  };
}
