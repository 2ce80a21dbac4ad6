import type { LoopEvent } from "../../core/events/event.ts";
import type { Loop } from "../../core/loop/loop.ts";

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
