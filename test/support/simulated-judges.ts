import assert from "node:assert/strict";
import type { LoopEvent } from "../../src/core/events/event.ts";
import type { Loop } from "../../src/core/loop/loop.ts";
import type { PlannedTask } from "../../src/core/plan/plan.ts";
import type { QuestionStep } from "../../src/core/plan/step.ts";
import { waves } from "../../src/core/plan/workflow.ts";
import { unsettled } from "../../src/core/stages/asking.ts";
import { counselGiven, finding, gateJudged, waveReviewed, workReviewed } from "./stage-builders.ts";
import { planned } from "./workflow-builders.ts";
import type { PlayedJudgement } from "./workflow-scenario.ts";

/** Whoever answers the questions of a simulated workflow. */
export class SimulatedJudges {
  readonly #played: PlayedJudgement;
  /** Findings whose task changed nothing, and for which the loop has paused once. */
  readonly #shown = new Set<string>();

  constructor(played: PlayedJudgement) {
    this.#played = played;
  }

  answer(step: QuestionStep, loop: Loop): readonly LoopEvent[] {
    const { workflow, stages } = loop;
    assert(workflow !== null && stages !== null);
    const commit = workflow.branch?.tip ?? null;
    switch (step.type) {
      case "counsel":
        return [counselGiven(step.task, step.after)];
      case "review-wave":
        return [waveReviewed(step.wave)];
      case "review":
        return [{ ...workReviewed(step.round, this.#review(step.round)), commit }];
      case "resolve":
        return this.#resolve(step.round, loop);
      case "gate": {
        const passed = this.#played.opensGate(step.round);
        const tasks = workflow.plan.tasks.length;
        const more: readonly LoopEvent[] = passed ? [] : [extended(loop, 1)];
        return [{ ...gateJudged(step.round, passed), commit, tasks }, ...more];
      }
    }
  }

  #review(round: number): Parameters<typeof workReviewed>[1] {
    const blockers = this.#played.blockers(round);
    if (blockers === null) return { score: null, failure: "no usable answer" };
    return { findings: Array.from({ length: blockers }, (_, index) => finding(`F-${index + 1}`)) };
  }

  #resolve(round: number, loop: Loop): readonly LoopEvent[] {
    const review = loop.stages?.reviews.at(-1);
    assert(review?.round === round && loop.workflow !== null);
    const left = unsettled(review, loop.workflow);
    const unmoved = left.filter(({ id }) => review.resolved.some((each) => each.finding === id));
    if (unmoved.length > 0 && !this.#shown.has(`${round}`)) {
      this.#shown.add(`${round}`);
      return [{ type: "loop.paused", reason: "blocked", detail: "it changed nothing", by: "machine" }];
    }
    const accepted = left.filter((each) => unmoved.includes(each) || this.#played.accepts(round, each.id));
    const rest = left.filter((each) => !accepted.includes(each));
    const more = extended(loop, rest.length);
    return [
      ...accepted.map(({ id }) => resolvedBy(round, id, null)),
      ...rest.map(({ id }, index) => resolvedBy(round, id, more.tasks[index]?.id ?? null)),
      ...(rest.length === 0 ? [] : [more]),
    ];
  }
}

function resolvedBy(round: number, id: string, task: string | null): LoopEvent {
  const how = task === null ? "approved" : "task";
  return { type: "finding.resolved", round, finding: id, how, task, by: "machine" };
}

function extended(
  { workflow }: Loop,
  count: number,
): { readonly type: "plan.extended"; readonly tasks: readonly PlannedTask[]; readonly why: string } {
  assert(workflow !== null);
  const before = workflow.plan.tasks.filter(({ id }) => id.startsWith("R-")).length;
  const last = (waves(workflow.plan).at(-1) ?? []).map(({ id }) => id);
  const tasks = Array.from({ length: count }, (_, index) => planned(`R-${before + index + 1}`, last));
  return { type: "plan.extended", tasks, why: "a review" };
}
