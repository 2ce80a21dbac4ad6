import { isMet, standardOf } from "../../core/loop/criterion.ts";
import { topFrame, type Loop } from "../../core/loop/loop.ts";
import { stageOf } from "../../core/stages/stages.ts";
import { oneLine } from "../../system/text/plain-text.ts";
import { reviewsView } from "../review.ts";
import { fitOf } from "../loop-lines.ts";

/** `state.json`: the loop in the format that hand-written loops use. */
export interface StateView {
  readonly spec: string;
  readonly criteria: readonly string[];
  readonly criteriaStatus: { readonly [name: string]: boolean };
  readonly exit_signal: boolean;
  readonly steps: readonly string[];
  readonly completedSteps: readonly string[];
  readonly remainingSteps: readonly string[];
  readonly iteration: number;
  readonly maxIterations: number | null;
  readonly status: "in_progress" | "paused" | "completed" | "cancelled";
  readonly reason: string | null;
  readonly circuitBreaker: { readonly stuckCount: number; readonly lastUnmet: string };
  readonly loopId: string;
  readonly sequence: number;
}

export function stateView(loop: Loop, sequence: number): StateView {
  const frame = topFrame(loop);
  const standard = standardOf(loop);
  // Without a prototype, because a criterion may have any name, even `__proto__`.
  const criteriaStatus = Object.create(null) as { [name: string]: boolean };
  for (const criterion of frame.criteria) criteriaStatus[criterion.name] = isMet(criterion, standard);
  return {
    spec: frame.spec,
    criteria: frame.criteria.map((criterion) => criterion.name),
    criteriaStatus,
    exit_signal: frame.exitSignal || loop.phase === "completed",
    steps: frame.steps.map((step) => step.name),
    completedSteps: frame.steps.filter((step) => step.done).map((step) => step.name),
    remainingSteps: frame.steps.filter((step) => !step.done).map((step) => step.name),
    iteration: frame.iteration,
    maxIterations: frame.iterationLimit,
    status: loop.phase === "active" ? "in_progress" : loop.phase,
    reason: loop.phase === "paused" ? loop.reason : null,
    circuitBreaker: {
      stuckCount: frame.breakers.stuck.count,
      lastUnmet: frame.breakers.stuck.lastUnmet ?? "",
    },
    loopId: loop.id,
    sequence,
  };
}

/** `workflow-state.json`: a loop with tasks, in the format that earlier workflow hooks read. */
export function workflowView(loop: Loop): object {
  return {
    version: 1,
    stage: stageOf(loop),
    task: topFrame(loop).spec,
    spec_score: loop.score.total,
    fit_score: fitOf(loop),
    shape_chosen: loop.shape,
    started_at: new Date(loop.openedAt).toISOString(),
    last_updated: new Date(loop.updatedAt).toISOString(),
    recall_surfaced: loop.recall?.learnings.map(({ text }) => oneLine(text, 120)) ?? [],
    reviews: reviewsView(loop.stages),
  };
}
