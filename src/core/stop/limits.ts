import type { Frame, Loop, PauseReason } from "../loop/loop.ts";
import { costMark, elapsedMs, nextIteration, topFrame } from "../loop/loop.ts";
import type { LoopEvent } from "../events/event.ts";
import type { Spent } from "./facts.ts";

/** What pauses a loop, and with which words. */
export interface Trip {
  readonly reason: PauseReason;
  readonly detail: string;
}

/** The limit that prevents another hold: money, tokens, time or iterations. */
export function usedUpAtStop(loop: Loop, now: number): Trip | null {
  const frame = topFrame(loop);
  const isOut = frame.iterationLimit !== null && frame.iteration >= frame.iterationLimit;
  return usedUpLimit(loop, now) ?? (isOut ? outOfIterations(frame) : null);
}

/**
 * The limit that prevents another driven turn. `turnUsd`: for an agent that can't be capped and shares a budget with others, what a
 * turn has to be expected to cost; null: it may start as long as anything is left.
 */
export function launchLimit(loop: Loop, now: number, turnUsd: number | null = null): Trip | null {
  const frame = topFrame(loop);
  const isOut = frame.iterationLimit !== null && nextIteration(frame) > frame.iterationLimit;
  const usedUp = usedUpLimit(loop, now) ?? (isOut ? outOfIterations(frame) : null);
  return usedUp ?? (turnUsd === null ? null : tooDear(loop, turnUsd));
}

/** Whether money that was set aside pays for another turn, by the dearest one so far. The first turn is what it was set aside for. */
export function coversTurn(
  { budgetUsd, spentUsd }: { readonly budgetUsd: number | null; readonly spentUsd: number },
  turnUsd: number,
): boolean {
  return budgetUsd === null || spentUsd === 0 || spentUsd + turnUsd <= budgetUsd;
}

function tooDear({ limits: { budgetUsd }, spend, dearestTurnUsd }: Loop, turnUsd: number): Trip | null {
  const expected = Math.max(dearestTurnUsd, turnUsd);
  if (budgetUsd === null || coversTurn({ budgetUsd, spentUsd: spend.usd }, expected)) return null;
  const spent = `${costMark(spend)}$${spend.usd.toFixed(2)} of $${budgetUsd.toFixed(2)} spent`;
  return { reason: "budget", detail: `${spent}, and a turn has cost $${expected.toFixed(2)}` };
}

/** A used-up limit of money, tokens or time. */
export function usedUpLimit(loop: Loop, now: number): Trip | null {
  const { limits, spend } = loop;
  const minutes = elapsedMs(loop, now) / 60_000;
  if (limits.budgetUsd !== null && spend.usd >= limits.budgetUsd) {
    const [spent, budget] = [`$${spend.usd.toFixed(2)}`, `$${limits.budgetUsd.toFixed(2)}`];
    // A turn ends after it has cost something, so more may be spent than there was.
    const how =
      spent === budget ? `${spent} of ${budget} spent` : `${spent} spent, with a budget of ${budget}`;
    return { reason: "budget", detail: `${costMark(spend)}${how}` };
  }
  if (limits.tokens !== null && spend.tokens >= limits.tokens) {
    return { reason: "budget", detail: `${spend.tokens} of ${limits.tokens} tokens used` };
  }
  if (limits.minutes !== null && minutes >= limits.minutes) {
    return { reason: "budget", detail: `${Math.floor(minutes)} of ${limits.minutes} minutes used` };
  }
  return null;
}

function outOfIterations({ iteration, iterationLimit }: Frame): Trip {
  return { reason: "iterations", detail: `${iteration} of ${iterationLimit} iterations used` };
}

/** The spending, and how far the transcript was read, as facts. */
export function eventsOfSpending({ cursor, ...charge }: Spent): readonly LoopEvent[] {
  const read: readonly LoopEvent[] = cursor === null ? [] : [{ type: "transcript.read", cursor }];
  const isNews = charge.usd > 0 || charge.tokens > 0 || !charge.priced;
  return isNews ? [{ type: "cost.charged", ...charge }, ...read] : read;
}
