import { inOrder } from "./graph.ts";
import type { Step } from "./step.ts";
import type { Workflow } from "./workflow.ts";
import { isDone, isGivenUp, isSpent, lastAttempt } from "./workflow.ts";

/** Tasks that have had their attempts, and all that wait for them. */
export function giveUps(workflow: Workflow): readonly Extract<Step, { type: "give-up" }>[] {
  /** By task: the one that has failed, which is itself or what blocks it. */
  const failed = new Map<string, string>();
  for (const { id, blockedBy } of inOrder(workflow.plan.tasks)) {
    if (isDone(workflow, id)) continue;
    const blocker = blockedBy.map((each) => failed.get(each)).find((each) => each !== undefined);
    if (blocker !== undefined) failed.set(id, blocker);
    else if (isSpent(workflow, id) || isGivenUp(workflow, id)) failed.set(id, id);
  }
  return [...failed]
    .filter(([task]) => !isGivenUp(workflow, task))
    .map(([task, root]) => ({
      type: "give-up",
      task,
      why: task === root ? lastSetback(workflow, task) : `blocked by ${root}, which was given up`,
    }));
}

function lastSetback(workflow: Workflow, task: string): string {
  const state = lastAttempt(workflow, task)?.state;
  return state?.type === "set-back" ? state.setback.detail : "";
}
