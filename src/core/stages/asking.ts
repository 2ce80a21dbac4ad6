import type { Loop, Shape } from "../loop/loop.ts";
import { type Finding, blockersIn, type Stages, type ThoroughReview } from "./stages.ts";
import { keyOf, type Facts, type QuestionStep, type Step } from "../plan/step.ts";
import {
  areAllSettled,
  isSpent,
  lastAttempt,
  taskState,
  type Attempt,
  type Workflow,
} from "../plan/workflow.ts";
import type { PlannedTask } from "../plan/plan.ts";

/** What the user of a session's workflow was asked last. */
export interface AskedOf {
  /** How many steps there were to agree to. */
  readonly steps: number;
  /** The last review that the agent was told to ask about. */
  readonly round: number;
}

export const NOTHING_ASKED: AskedOf = { steps: 0, round: 0 };

/** A colleague asks after everything, a tool under review at major steps. */
export function asksPeople(shape: Shape): boolean {
  return shape === "tool-review" || shape === "colleague";
}

/** The major steps so far: the shape is drawn, the plan is there, a wave is merged. */
export function majorSteps({ stages, workflow }: Pick<Loop, "stages" | "workflow">): number {
  const isShaped = stages?.wishes != null && stages.shape !== null;
  return (isShaped ? 1 : 0) + (workflow === null ? 0 : 1 + workflow.wavesDone);
}

/** What the last review holds against the work, as far as nobody has settled it. */
export function openFindings({ stages, workflow }: Pick<Loop, "stages" | "workflow">): readonly Finding[] {
  const last = stages?.reviews.at(-1);
  return last === undefined || workflow === null ? [] : unsettled(last, workflow);
}

/** The attempt that another approach is needed after, before the task is tried again; null: none. */
export function needsCounsel(workflow: Workflow, stages: Stages | null, task: string): Attempt | null {
  const last = lastAttempt(workflow, task);
  if (stages === null || last === null || !isAboutTheApproach(last)) return null;
  const isGiven = stages.counsels.some((each) => each.task === task && each.after === last.number);
  return isGiven ? null : last;
}

/** A conflict, a lost worktree or a failed setup says nothing about how the work was done. */
function isAboutTheApproach({ state, shortfalls = [] }: Attempt): boolean {
  if (state.type === "running") return shortfalls.length > 0;
  return state.type === "set-back" && ["failed", "red-together"].includes(state.setback.kind);
}

/** Questions that may be asked beside the work: about tasks that failed, and about waves that ended. */
export function besideSteps(workflow: Workflow, stages: Stages, facts: Facts): readonly QuestionStep[] {
  const steps = [...counsels(workflow, stages), ...waveReviews(workflow, stages, facts)];
  return steps.filter((step) => !facts.underWay.has(keyOf(step)));
}

function counsels(workflow: Workflow, stages: Stages): readonly QuestionStep[] {
  return workflow.plan.tasks
    .filter((task) => mayBeTried(workflow, task))
    .flatMap(({ id }) => {
      const failed = needsCounsel(workflow, stages, id);
      return failed === null ? [] : [{ type: "counsel", task: id, after: failed.number }];
    });
}

/** Again, or by an attempt that goes on. */
function mayBeTried(workflow: Workflow, task: PlannedTask): boolean {
  const state = taskState(workflow, task);
  return state === "running" || (state === "ready" && !isSpent(workflow, task.id));
}

function waveReviews({ wavesDone }: Workflow, stages: Stages, facts: Facts): readonly QuestionStep[] {
  if (!isReviewed(stages, facts) || facts.isSession === true) return [];
  const known = new Set(stages.waveReviews.map(({ wave }) => wave));
  return Array.from({ length: wavesDone }, (_, index) => index + 1)
    .filter((wave) => !known.has(wave))
    .map((wave) => ({ type: "review-wave", wave }));
}

/** Without git there is no diff to look at. */
function isReviewed({ policy }: Stages, { isGit }: Facts): boolean {
  return policy.asks && isGit;
}

/** What comes once every task is done: the review, what becomes of its findings, the gate, the end. */
export function judgingStep(workflow: Workflow, stages: Stages, facts: Facts): Step {
  const { reviews } = stages;
  const last = reviews.at(-1) ?? null;
  if (last !== null && unsettled(last, workflow).length > 0) return { type: "resolve", round: last.round };
  if (isReviewed(stages, facts) && lacksReview(workflow, stages)) {
    if (reviews.length < stages.roundLimit) return { type: "review", round: reviews.length + 1 };
    return outOfRounds(`${reviews.length} reviews, and the work since the last one was not reviewed`);
  }
  const gate = stages.gates.at(-1);
  const isJudged = gate?.commit === tipOf(workflow) && gate.tasks === workflow.plan.tasks.length;
  if (isJudged) return gate.passed ? { type: "finish" } : outOfRounds("the gate is shut");
  if (failedGates(stages) >= stages.roundLimit)
    return outOfRounds(`the gate was shut ${failedGates(stages)} times`);
  return { type: "gate", round: stages.gates.length + 1 };
}

/** Every task is merged, and somebody has to look at the result. */
export function isReviewDue(workflow: Workflow, stages: Stages): boolean {
  const isWorkedOff = areAllSettled(workflow);
  return (
    stages.policy.asks &&
    isWorkedOff &&
    lacksReview(workflow, stages) &&
    stages.reviews.length < stages.roundLimit
  );
}

/** No round is left for what would have to come next. */
export function areRoundsUsedUp(workflow: Workflow, stages: Stages): boolean {
  if (!areAllSettled(workflow)) return false;
  const { reviews, roundLimit } = stages;
  const isUnreviewed = reviews.length > 0 && lacksReview(workflow, stages);
  return (isUnreviewed && reviews.length >= roundLimit) || failedGates(stages) >= roundLimit;
}

/**
 * Findings that nobody has settled; and blockers that became a task, if all tasks are done and the work is still what was
 * reviewed.
 */
export function unsettled(review: ThoroughReview, workflow: Workflow): readonly Finding[] {
  const settled = new Map(review.resolved.map((each) => [each.finding, each]));
  const isUnchanged = review.commit === tipOf(workflow) && areAllSettled(workflow);
  const unmoved = isUnchanged ? blockersIn(review.findings).filter(({ id }) => settled.get(id)?.task) : [];
  return review.findings.filter((each) => !settled.has(each.id) || unmoved.includes(each));
}

/** The same files are never reviewed twice, and no files at all never. */
function lacksReview({ branch }: Workflow, { reviews }: Stages): boolean {
  return branch !== null && branch.tip !== branch.from && reviews.at(-1)?.commit !== branch.tip;
}

function tipOf({ branch }: Workflow): string | null {
  return branch?.tip ?? null;
}

function failedGates({ gates }: Stages): number {
  return gates.filter(({ passed }) => !passed).length;
}

function outOfRounds(detail: string): Step {
  return { type: "pause", reason: "iterations", detail };
}
