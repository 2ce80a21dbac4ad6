import { missingUsd, needsAttempt } from "../plan/budget.ts";
import { failedTasks } from "../plan/workflow.ts";
import { areRoundsUsedUp } from "../stages/asking.ts";
import { elapsedMs, isDriven, isWorkflow, nextIteration, topFrame } from "./loop.ts";
import type { Frame, Limits, Loop } from "./loop.ts";

export const DEFAULT_ITERATIONS = 10;
export const ITERATIONS_BOUND = 50;
const DEFAULT_BUDGET_USD = 25;
export const BUDGET_BOUND_USD = 100;

export const DEFAULT_LIMITS: Limits = {
  budgetUsd: DEFAULT_BUDGET_USD,
  tokens: null,
  minutes: null,
  stuck: 5,
  sameError: 3,
  sameFile: 5,
  noProgress: 3,
  ttlMs: 2 * 60 * 60_000,
};

/** The limits a loop has used up, and would only hit again. */
export type UsedUp = "budget" | "max-tokens" | "max-minutes" | "iterations";

export function usedUp(loop: Loop, now: number): readonly UsedUp[] {
  const { budgetUsd, tokens, minutes } = loop.limits;
  const reached = (limit: number | null, value: number): boolean => limit !== null && value >= limit;
  return [
    ...(reached(budgetUsd, loop.spend.usd) || isShort(loop) ? (["budget"] as const) : []),
    ...(reached(tokens, loop.spend.tokens) ? (["max-tokens"] as const) : []),
    ...(reached(minutes, elapsedMs(loop, now) / 60_000) ? (["max-minutes"] as const) : []),
    ...(areIterationsUsedUp(loop) ? (["iterations"] as const) : []),
  ];
}

/** Something is left of the budget, but not enough for the attempt that has to come next. */
function isShort(loop: Loop): boolean {
  return loop.workflow !== null && needsAttempt(loop.workflow) && lackedUsd(loop, 1) > 0;
}

/** What the budget of a plan lacks for this many more attempts. */
export function lackedUsd({ workflow, limits: { budgetUsd }, spend }: Loop, attempts: number): number {
  return workflow === null ? 0 : missingUsd(workflow, { budgetUsd, spentUsd: spend.usd }, attempts);
}

/**
 * A driven iteration that was cut off may be begun again; any other one is used up when it is reached. In a driven workflow
 * the limit is that of each task's attempts, and of the rounds of review.
 */
function areIterationsUsedUp(loop: Loop): boolean {
  const { workflow, stages } = loop;
  if (workflow !== null && failedTasks(workflow).length > 0) return true;
  if (workflow !== null && stages !== null && areRoundsUsedUp(workflow, stages)) return true;
  if (isWorkflow(loop) && !isHeld(loop)) return false;
  const frame = topFrame(loop);
  if (frame.iterationLimit === null) return false;
  const next = isDriven(loop) ? nextIteration(frame) : frame.iteration + 1;
  return next > frame.iterationLimit;
}

/** A session is bound to it, whose stops are iterations. */
function isHeld(loop: Loop): boolean {
  return loop.binding !== null && !isDriven(loop);
}

/** The most iterations an inner frame may have: what the outer frame has left. null: no limit. */
export function iterationsLeft({ iteration, iterationLimit }: Frame): number | null {
  return iterationLimit === null ? null : Math.max(0, iterationLimit - iteration);
}
