import { recordLocked } from "../../app/record-locked.ts";
import type { LoopEvent } from "../../core/event.ts";
import type { Loop } from "../../core/loop.ts";
import { isActiveFor } from "../../core/loop.ts";
import type { Remedy } from "../../judgement/remediation.ts";
import { remediationTasks } from "../../judgement/remediation.ts";
import type { WorkflowContext } from "../take-workflow.ts";
import { workflowOf } from "../take-workflow.ts";

/** Records what was judged and the tasks that it makes, together; the lock knows them first. */
export async function recordWithTasks(
  context: WorkflowContext,
  remedies: readonly Remedy[],
  why: string,
  events: (tasks: readonly string[]) => readonly LoopEvent[],
): Promise<Loop> {
  return recordLocked(context.machine, context, (loop) => {
    if (!isActiveFor(loop, context.run)) return [];
    const tasks = remediationTasks(workflowOf(loop).plan, remedies);
    const extended: readonly LoopEvent[] = tasks.length === 0 ? [] : [{ type: "plan.extended", tasks, why }];
    return [...events(tasks.map(({ id }) => id)), ...extended];
  });
}
