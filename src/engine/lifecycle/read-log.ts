import { AT_THE_BEGINNING } from "../../storage/journal/journal.ts";
import type { JournalEntry } from "../../core/events/event.ts";
import { entriesOf } from "../../storage/loops/journal-entries.ts";
import { chooseLoopToRead } from "../../storage/loops/choose-loop.ts";
import type { Machine } from "../../storage/loops/machine.ts";

/** The last events of a loop, oldest first. */
export async function readLog(
  machine: Machine,
  wanted: string | undefined,
  count: number,
): Promise<readonly JournalEntry[]> {
  const { live } = await chooseLoopToRead(machine, wanted);
  let entries: JournalEntry[] = [];
  await live.journal.follow(AT_THE_BEGINNING).next((record, cursor) => {
    entries.push(...entriesOf(record, cursor));
    if (entries.length > 4 * count) entries = entries.slice(-count);
  });
  return entries.slice(-count);
}
