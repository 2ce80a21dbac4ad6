import { recordLocked } from "../../lifecycle/guarded-files.ts";
import type { LoopEvent } from "../../../core/events/event.ts";
import type { Loop } from "../../../core/loop/loop.ts";
import { isActiveFor } from "../../../core/loop/loop.ts";
import { recordIf } from "../../../storage/loops/journal-entries.ts";
import type { Remedy } from "../../../core/questions/remediation.ts";
import { remediationTasks } from "../../../core/questions/remediation.ts";
import type { WorkflowContext } from "../take-workflow.ts";
import { workflowOf } from "../take-workflow.ts";

/** Records what was judged and the tasks that it makes, together; the lock knows them first. null: the loop is no longer this run's. */
export async function recordWithTasks(
  context: WorkflowContext,
  remedies: readonly Remedy[],
  why: string,
  events: (tasks: readonly string[]) => readonly LoopEvent[],
): Promise<Loop | null> {
  return recordIf(
    async (decide) => recordLocked(context.machine, context, decide),
    (loop) => isActiveFor(loop, context.run),
    (loop) => {
      const tasks = remediationTasks(workflowOf(loop).plan, remedies);
      const extended: readonly LoopEvent[] =
        tasks.length === 0 ? [] : [{ type: "plan.extended", tasks, why }];
      return [...events(tasks.map(({ id }) => id)), ...extended];
    },
  );
}
