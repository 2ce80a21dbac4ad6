import type { Loop } from "../core/loop.ts";
import type { Project } from "../store/project.ts";
import { journalPath } from "../store/project.ts";
import { followJournal } from "./follow-journal.ts";

/**
 * What an iteration's turns and checkpoint are called after: its number. Each level of a nested loop counts from 1, so within
 * one its own number stands in front: `1.3` is iteration 3 of the first that was ever opened inside this loop.
 */
export function iterationName(project: Project, loop: Loop, iteration: number): string {
  if (loop.frames.length === 1) return `${iteration}`;
  return `${frameAtWork(project, loop)}.${iteration}`;
}

function frameAtWork(project: Project, { id }: Loop): number {
  const open: number[] = [];
  let pushed = 0;
  for (const { event } of followJournal(journalPath(project, id))()) {
    if (event.type === "frame.pushed") {
      pushed += 1;
      open.push(pushed);
    }
    if (event.type === "frame.popped") open.pop();
  }
  return open.at(-1) ?? 0;
}
