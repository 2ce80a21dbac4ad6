import type { Stages } from "../stages/stages.ts";
import { isSameFailure } from "./failure-text.ts";
import { inOrder } from "./graph.ts";
import type { Facts, Step } from "./step.ts";
import type { Setback, Workflow } from "./workflow.ts";
import { attemptsOf, isDone, isGivenUp, isSpent, lastAttempt } from "./workflow.ts";

/** Tasks that have had their attempts or go in circles, and all that wait for them. */
export function giveUps(
  workflow: Workflow,
  stages: Stages | null,
  facts: Pick<Facts, "stuck">,
): readonly Extract<Step, { type: "give-up" }>[] {
  /** By task: the one that has failed, which is itself or what blocks it. */
  const failed = new Map<string, string>();
  for (const { id, blockedBy } of inOrder(workflow.plan.tasks)) {
    if (isDone(workflow, id)) continue;
    const blocker = blockedBy.map((each) => failed.get(each)).find((each) => each !== undefined);
    if (blocker !== undefined) failed.set(id, blocker);
    else if (isSpent(workflow, id) || isGivenUp(workflow, id) || goesInCircles(workflow, stages, facts, id))
      failed.set(id, id);
  }
  return [...failed]
    .filter(([task]) => !isGivenUp(workflow, task))
    .map(([task, root]) => ({
      type: "give-up",
      task,
      why: task === root ? lastSetback(workflow, task) : `blocked by ${root}, which was given up`,
    }));
}

/** More attempts than the stuck limit failed in the same way, one after the other, and no model knew another approach. */
function goesInCircles(
  workflow: Workflow,
  stages: Stages | null,
  { stuck }: Pick<Facts, "stuck">,
  task: string,
): boolean {
  if (stuck === undefined || stuck.limit === 0) return false;
  const recent = attemptsOf(workflow, task)
    .filter(({ startedAt }) => startedAt >= stuck.since)
    .slice(-stuck.limit - 1);
  const failures = recent.flatMap(({ state }): readonly Setback[] =>
    state.type === "set-back" && state.setback.kind === "failed" ? [state.setback] : [],
  );
  const [first] = failures;
  if (first === undefined || failures.length <= stuck.limit) return false;
  const advised = stages?.counsels.findLast((each) => each.task === task)?.agent ?? null;
  return advised === null && failures.every((each) => isSameFailure(each, first));
}

function lastSetback(workflow: Workflow, task: string): string {
  const state = lastAttempt(workflow, task)?.state;
  return state?.type === "set-back" ? state.setback.detail : "";
}
