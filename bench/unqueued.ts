import { remainingPaths } from "../src/core/plan/graph.ts";
import type { TimedPlan } from "./random-plan.ts";

/** How long a plan takes when each result is checked at once, beside all others, and none is ever red: about the best that a queue can come to. */
export function unqueuedTime({ tasks, lengthOf }: TimedPlan, parallel: number, checkMs: number): number {
  const paths = remainingPaths(tasks, ({ id }) => lengthOf(id) + checkMs);
  const doneAt = new Map<string, number>();
  const freeAt = Array.from({ length: parallel }, () => 0);
  let waiting = tasks.toSorted((one, other) => (paths.get(other.id) ?? 0) - (paths.get(one.id) ?? 0));
  let now = 0;
  while (waiting.length > 0) {
    const isDone = (task: string): boolean => (doneAt.get(task) ?? Number.POSITIVE_INFINITY) <= now;
    const next = waiting.find(({ blockedBy }) => blockedBy.every(isDone));
    const agent = freeAt.findIndex((at) => at <= now);
    if (next === undefined || agent === -1) {
      now = Math.min(...[...freeAt, ...doneAt.values()].filter((at) => at > now));
      continue;
    }
    waiting = waiting.filter((task) => task !== next);
    freeAt[agent] = now + lengthOf(next.id);
    doneAt.set(next.id, now + lengthOf(next.id) + checkMs);
  }
  return Math.max(...doneAt.values());
}
