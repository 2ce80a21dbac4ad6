import type { Loop } from "../../core/loop/loop.ts";
import type { Journal } from "../../storage/journal/journal.ts";
import { followEntries } from "../../storage/loops/journal-entries.ts";

/**
 * The name for an iteration's turns and checkpoint: its number. Each nested loop counts from 1, so its own number comes first:
 * `1.3` is iteration 3 of the first loop ever opened inside this one.
 */
export async function iterationName(journal: Journal, loop: Loop, iteration: number): Promise<string> {
  if (loop.frames.length === 1) return `${iteration}`;
  return `${await frameAtWork(journal)}.${iteration}`;
}

async function frameAtWork(journal: Journal): Promise<number> {
  const open: number[] = [];
  let pushed = 0;
  for (const { event } of await followEntries(journal)()) {
    if (event.type === "frame.pushed") {
      pushed += 1;
      open.push(pushed);
    }
    if (event.type === "frame.popped") open.pop();
  }
  return open.at(-1) ?? 0;
}
