import type { LoopEvent } from "../../core/event.ts";
import { evolveAll } from "../../core/evolve.ts";
import type { Loop } from "../../core/loop.ts";
import { isActiveFor } from "../../core/loop.ts";
import type { Remedy } from "../../judgement/remediation.ts";
import { remediationTasks } from "../../judgement/remediation.ts";
import { approvePlan } from "../../store/loop-lock.ts";
import type { WorkflowContext } from "../take-workflow.ts";
import { workflowOf } from "../take-workflow.ts";

/** Records what was judged and the tasks that it makes, together; the lock knows them first. */
export async function recordWithTasks(
  { machine, run, live }: WorkflowContext,
  remedies: readonly Remedy[],
  why: string,
  events: (tasks: readonly string[]) => readonly LoopEvent[],
): Promise<Loop> {
  return live.record((loop) => {
    if (!isActiveFor(loop, run)) return [];
    const tasks = remediationTasks(workflowOf(loop).plan, remedies);
    const all: readonly LoopEvent[] = [
      ...events(tasks.map(({ id }) => id)),
      ...(tasks.length === 0 ? [] : [{ type: "plan.extended", tasks, why } as const]),
    ];
    if (tasks.length > 0) approvePlan(machine.home, live.project.root, evolveAll(loop, all, machine.now()));
    return all;
  });
}
