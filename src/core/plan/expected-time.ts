import { remainingPaths } from "./graph.ts";
import type { PlannedTask } from "./plan.ts";
import { remember } from "./remember.ts";
import type { Workflow } from "./workflow.ts";
import { meanOf } from "./workflow.ts";

/** How long one attempt at a task is expected to take: what the plan says, else what others took. */
export function expectedMs({ plan, measured }: Workflow, { estimateMs }: PlannedTask): number {
  return Math.max(1, estimateMs ?? meanOf(measured.attempts) ?? meanEstimate(plan.tasks) ?? 1);
}

/** From the start of each task to the end of the longest chain of tasks that it holds up. */
export function expectedPaths(workflow: Workflow): ReadonlyMap<string, number> {
  return remainingPaths(workflow.plan.tasks, (task) => expectedMs(workflow, task));
}

const meanEstimate = remember((tasks: readonly PlannedTask[]): number | null => {
  const known = tasks.flatMap(({ estimateMs }) => estimateMs ?? []);
  return known.length === 0 ? null : known.reduce((sum, each) => sum + each, 0) / known.length;
});
