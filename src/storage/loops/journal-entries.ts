import type { JournalEntry } from "../../core/events/event.ts";
import type { Cursor, Journal } from "../journal/journal.ts";
import { AT_THE_BEGINNING } from "../journal/journal.ts";
import type { JournalRecord } from "../journal/record.ts";

export function entriesOf({ at, events }: JournalRecord, { seq }: Cursor): readonly JournalEntry[] {
  return events.map((event) => ({ seq, at, event }));
}

/** Every event of a loop, in order: each call returns what is new. */
export function followEntries(journal: Journal): () => Promise<readonly JournalEntry[]> {
  const follower = journal.follow(AT_THE_BEGINNING);
  return async () => {
    const entries: JournalEntry[] = [];
    await follower.next((record, cursor) => entries.push(...entriesOf(record, cursor)));
    return entries;
  };
}
