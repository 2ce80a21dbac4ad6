import type { LoopEvent } from "../core/event.ts";
import { AT_THE_BEGINNING, readJournal } from "../journal/read.ts";
import { journalPath } from "../store/project.ts";
import { chooseLoopToRead } from "../loops/find-loop.ts";
import type { Machine } from "../loops/machine.ts";

export interface LogEntry {
  readonly seq: number;
  readonly at: number;
  readonly event: LoopEvent;
}

/** The last events of a loop, oldest first. */
export function readLog(machine: Machine, wanted: string | undefined, count: number): readonly LogEntry[] {
  const { standing } = chooseLoopToRead(machine, wanted);
  let entries: LogEntry[] = [];
  readJournal(journalPath(standing.project, standing.loop.id), AT_THE_BEGINNING, (record, { seq }) => {
    for (const event of record.events) entries.push({ seq, at: record.at, event });
    if (entries.length > 4 * count) entries = entries.slice(-count);
  });
  return entries.slice(-count);
}
