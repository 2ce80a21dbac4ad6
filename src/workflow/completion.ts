import type { Confidence } from "../core/loop.ts";
import type { Workflow } from "../core/plan/workflow.ts";
import { lastAttempt } from "../core/plan/workflow.ts";

/** A plan is shown as far as each of its tasks is. */
export function completionOf(workflow: Workflow): {
  readonly confidence: Confidence;
  readonly why: readonly string[];
} {
  const of = (wanted: Confidence): readonly string[] =>
    workflow.plan.tasks
      .filter(({ id }) => confidenceOf(workflow, id) === wanted)
      .map(({ id, subject }) => `${id} is ${wanted}: ${subject}`);
  const unverified = of("unverified");
  const weak = of("weak");
  const confidence = unverified.length > 0 ? "unverified" : weak.length > 0 ? "weak" : "verified";
  return { confidence, why: [...unverified, ...weak] };
}

function confidenceOf(workflow: Workflow, task: string): Confidence {
  const state = lastAttempt(workflow, task)?.state;
  return state?.type === "integrated" ? state.confidence : "unverified";
}
