import type { Loop } from "../loop.ts";
import { isSpent, running, taskState } from "../plan/workflow.ts";
import { isReviewDue } from "../stages/judging.ts";
import type { Settlement } from "./facts.ts";
import type { PlanHold } from "./verdict.ts";

/** Where the tasks of a session's plan are. */
export function planHold({ workflow, stages }: Loop, settlement: Settlement | null): PlanHold {
  if (workflow === null) return NOTHING;
  const { tasks } = workflow.plan;
  const atWork = running(workflow);
  const free = Math.max(0, workflow.parallel - atWork.length);
  const ready = tasks.filter((task) => taskState(workflow, task) === "ready" && !isSpent(workflow, task.id));
  const rejected = settlement?.rejected ?? [];
  return {
    ready: ready.slice(0, free).map(({ id }) => id),
    atWork: atWork.map(({ task }) => task).filter((id) => !rejected.some(({ task }) => task === id)),
    rejected,
    isReviewDue: stages !== null && isReviewDue(workflow, stages),
  };
}

const NOTHING: PlanHold = { ready: [], atWork: [], rejected: [], isReviewDue: false };
