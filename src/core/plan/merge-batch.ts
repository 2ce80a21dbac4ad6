import { expectedMs } from "./expected-time.ts";
import type { Facts, Step } from "./step.ts";
import { parallelOf } from "./starts.ts";
import type { Workflow } from "./workflow.ts";
import { meanOf } from "./workflow.ts";

const MOST_TOGETHER = 8;
/** How many results are expected to be red before anything was seen. */
const RED_AT_FIRST = { red: 1, of: 10 };

/**
 * The next merge, of the result that holds up most; or of several when results come faster than they can be checked
 * one by one.
 */
export function mergeOf(
  workflow: Workflow,
  facts: Facts,
  paths: ReadonlyMap<string, number>,
): Extract<Step, { type: "merge" }> | null {
  if (workflow.merge !== null) return null;
  const heldUp = new Map(
    workflow.plan.tasks.map((task) => [task.id, (paths.get(task.id) ?? 0) - expectedMs(workflow, task)]),
  );
  const waiting = workflow.attempts
    .filter(({ state }) => state.type === "finished")
    .map(({ task }) => task)
    .toSorted((one, other) => (heldUp.get(other) ?? 0) - (heldUp.get(one) ?? 0));
  const most = isQueueSlow(workflow, facts) ? mostTogether(workflow) : 1;
  const tasks: string[] = [];
  for (const task of waiting) {
    if (tasks.length === most) break;
    // A conflict with a result that isn't accepted in the end would be nobody's.
    if (!tasks.some((each) => facts.overlap(task, each))) tasks.push(task);
  }
  return tasks.length === 0 ? null : { type: "merge", tasks };
}

/** So many that half of one is expected to be red: to find that one costs checks which the others have to save. */
function mostTogether({ attempts }: Workflow): number {
  const green = attempts.filter(({ state }) => state.type === "integrated").length;
  const red = attempts.filter(
    ({ state }) => state.type === "set-back" && state.setback.kind === "red-together",
  ).length;
  const share = (RED_AT_FIRST.red + red) / (RED_AT_FIRST.of + red + green);
  return Math.max(1, Math.min(MOST_TOGETHER, Math.floor(0.5 / share)));
}

function isQueueSlow(workflow: Workflow, facts: Facts): boolean {
  const { attempts, merges } = workflow.measured;
  const attemptMs = meanOf(attempts);
  const mergeMs = meanOf(merges);
  return attemptMs !== null && mergeMs !== null && mergeMs > attemptMs / parallelOf(workflow, facts);
}
