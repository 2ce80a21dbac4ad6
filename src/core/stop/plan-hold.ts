import type { Loop } from "../loop.ts";
import type { Workflow } from "../plan/workflow.ts";
import { isDone, isSpent, running, taskState } from "../plan/workflow.ts";
import { isReviewDue, needsCounsel } from "../stages/judging.ts";
import type { Stages } from "../stages/stages.ts";
import type { Settlement } from "./facts.ts";
import type { PlanHold } from "./verdict.ts";

/** Where the tasks of a session's plan are. */
export function planHold({ workflow, stages }: Loop, settlement: Settlement | null): PlanHold {
  if (workflow === null) return { ...NOTHING, lacksPlan: true };
  const { tasks } = workflow.plan;
  const atWork = running(workflow);
  const free = Math.max(0, workflow.parallel - atWork.length);
  const ready = tasks
    .filter((task) => taskState(workflow, task) === "ready" && !isSpent(workflow, task.id))
    .slice(0, free)
    .map(({ id }) => id);
  const rejected = settlement?.rejected ?? [];
  return {
    lacksPlan: false,
    ready,
    atWork: atWork.map(({ task }) => task).filter((id) => !rejected.some(({ task }) => task === id)),
    rejected,
    stuck: stages?.policy.asks === true ? ready.filter((id) => needsCounsel(workflow, stages, id)) : [],
    mergedWave: stages === null ? null : mergedWave(workflow, stages),
    isReviewDue: stages !== null && isReviewDue(workflow, stages),
  };
}

const NOTHING: PlanHold = {
  lacksPlan: false,
  ready: [],
  atWork: [],
  rejected: [],
  stuck: [],
  mergedWave: null,
  isReviewDue: false,
};

/** Once all tasks are merged, the review of the whole sees it anyway. */
function mergedWave(workflow: Workflow, { policy, waveReviews }: Stages): number | null {
  const { wavesDone, branch, plan } = workflow;
  const isOver = plan.tasks.every(({ id }) => isDone(workflow, id));
  if (!policy.asks || branch === null || wavesDone === 0 || isOver) return null;
  return waveReviews.some(({ wave }) => wave === wavesDone) ? null : wavesDone;
}
