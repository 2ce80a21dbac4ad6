import { expectedMs } from "./expected-time.ts";
import type { Facts, Step } from "./step.ts";
import { parallelOf } from "./starts.ts";
import type { Workflow } from "./workflow.ts";
import { meanOf } from "./workflow.ts";

/** Of more together, one that is red would cost more checks than the others save. */
const MOST_TOGETHER = 8;

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
  const tasks: string[] = [];
  for (const task of waiting.slice(0, isQueueSlow(workflow, facts) ? undefined : 1)) {
    if (tasks.length === MOST_TOGETHER) break;
    // A conflict with a result that isn't accepted in the end would be nobody's.
    if (!tasks.some((each) => facts.overlap(task, each))) tasks.push(task);
  }
  return tasks.length === 0 ? null : { type: "merge", tasks };
}

function isQueueSlow(workflow: Workflow, facts: Facts): boolean {
  const { attempts, merges } = workflow.measured;
  const attemptMs = meanOf(attempts);
  const mergeMs = meanOf(merges);
  return attemptMs !== null && mergeMs !== null && mergeMs > attemptMs / parallelOf(workflow, facts);
}
