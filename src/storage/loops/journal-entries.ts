import type { JournalEntry, LoopEvent } from "../../core/events/event.ts";
import { AT_THE_BEGINNING, type Cursor, type Journal } from "../journal/journal.ts";
import type { JournalRecord } from "../journal/record.ts";
import type { Loop } from "../../core/loop/loop.ts";

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

type Record = (decide: (loop: Loop) => readonly LoopEvent[]) => Promise<Loop>;

/** Records events if the loop is open to them at that moment. null: it isn't, and nothing was recorded. */
export async function recordIf(
  record: Record,
  isOpen: (loop: Loop) => boolean,
  events: (loop: Loop) => readonly LoopEvent[],
): Promise<Loop | null> {
  let isRecorded = false;
  const after = await record((loop) => {
    isRecorded = isOpen(loop);
    return isRecorded ? events(loop) : [];
  });
  return isRecorded ? after : null;
}
