import { begunIteration } from "../../core/loop/loop.ts";
import { attemptsOf } from "../../core/plan/workflow.ts";
import { inspectLoop } from "../../storage/loops/locked-loop.ts";
import type { LiveLoop } from "../../storage/loops/live-loop.ts";
import type { Machine } from "../../storage/loops/machine.ts";

/** How many iterations each attempt at a task took, by its number; those whose journal can't be read are left out. */
export async function attemptIterations(
  machine: Machine,
  { loop, project }: LiveLoop,
  task: string,
): Promise<ReadonlyMap<number, number>> {
  const found = new Map<number, number>();
  for (const attempt of loop.workflow === null ? [] : attemptsOf(loop.workflow, task)) {
    const own = await inspectLoop(machine, project, attempt.loop).catch(() => null);
    if (own?.type === "loop") found.set(attempt.number, begunIteration(own.live.loop));
  }
  return found;
}
