import { evolveAll } from "../../core/events/evolve.ts";
import { ImpossibleEvent } from "../../core/events/event.ts";
import type { Loop } from "../../core/loop/loop.ts";
import { JournalError } from "./journal-error.ts";
import type { JournalRecord } from "./record.ts";

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
