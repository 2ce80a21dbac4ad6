import type { Criterion } from "../criterion.ts";
import type { Breakers, Frame, Loop, PauseReason } from "../loop.ts";
import { costMark, elapsedMs, nextIteration, topFrame } from "../loop.ts";
import { errorSignature } from "./error-signature.ts";
import type { StopFacts } from "./facts.ts";
import { fingerprintOf, isSameAsFarAsKnown } from "./progress.ts";
import { thrashingFile } from "./thrashing.ts";

interface Trip {
  readonly reason: PauseReason;
  readonly detail: string;
}

/** Counts this stop: each breaker goes up for the same thing again, and down for anything else. */
export function countBreakers(
  loop: Loop,
  facts: StopFacts,
  unmet: readonly string[],
  failing: readonly Criterion[],
): Breakers {
  const frame = topFrame(loop);
  return {
    stuck: countStuck(frame, unmet[0] ?? failing[0]?.name ?? null),
    sameError: countSameError(frame, failing),
    noProgress: countNoProgress(frame, facts),
  };
}

function countStuck(frame: Frame, firstUnmet: string | null): Breakers["stuck"] {
  const { lastUnmet, count } = frame.breakers.stuck;
  return { lastUnmet: firstUnmet, count: firstUnmet !== null && firstUnmet === lastUnmet ? count + 1 : 0 };
}

function countSameError(frame: Frame, failing: readonly Criterion[]): Breakers["sameError"] {
  // A pass that does not count, for another tree or after a protected path changed, is no error.
  const failed = failing.find(({ evidence }) => evidence?.passed === false);
  if (failed?.evidence == null) return frame.breakers.sameError;
  const signature = errorSignature(failed.name, failed.evidence.outputTail);
  const { signature: last, count } = frame.breakers.sameError;
  return { signature, count: signature === last ? count + 1 : 1 };
}

function countNoProgress(frame: Frame, facts: StopFacts): Breakers["noProgress"] {
  const { fingerprint: last, count } = frame.breakers.noProgress;
  const { tree = null, head = null } = facts.findings;
  const fingerprint = fingerprintOf(frame, { tree, head });
  if (facts.toolUses !== null && facts.toolUses > 0) return { fingerprint, count: 0 };
  if (facts.toolUses === 0) {
    // Without a tool nothing changes unseen: only what is known on both sides can show progress.
    const stoodStill = last === null || isSameAsFarAsKnown(last, fingerprint);
    return { fingerprint, count: stoodStill ? count + 1 : 0 };
  }
  // Where tools are not counted, an unreadable tree proves nothing either way.
  if (tree === null) return { fingerprint: last, count };
  return { fingerprint, count: fingerprint === last ? count + 1 : 0 };
}

/** Whether the tree has to be looked at to tell progress from standstill. */
export function needsTreeForProgress(loop: Loop, facts: StopFacts): boolean {
  if (loop.limits.noProgress === 0 || facts.findings.tree !== undefined) return false;
  return facts.toolUses === null || facts.toolUses === 0;
}

/** Money, tokens or time that are used up. */
function usedUpLimit(loop: Loop, now: number): Trip | null {
  const { limits, spend } = loop;
  const minutes = elapsedMs(loop, now) / 60_000;
  if (limits.budgetUsd !== null && spend.usd >= limits.budgetUsd) {
    return {
      reason: "budget",
      detail: `${costMark(spend)}$${spend.usd.toFixed(2)} of $${limits.budgetUsd.toFixed(2)} spent`,
    };
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

/** What stands against another turn that is driven from outside; looked at before each. */
export function launchLimit(loop: Loop, now: number): Trip | null {
  const frame = topFrame(loop);
  const used = usedUpLimit(loop, now);
  if (used !== null) return used;
  return frame.iterationLimit !== null && nextIteration(frame) > frame.iterationLimit
    ? outOfIterations(frame)
    : null;
}

/** The first limit that is reached, in the order in which they are told. */
export function trippedLimit(loop: Loop, breakers: Breakers, facts: StopFacts): Trip | null {
  const { limits } = loop;
  const frame = topFrame(loop);
  const used = usedUpLimit(loop, facts.now);
  if (used !== null) return used;
  if (frame.iterationLimit !== null && frame.iteration >= frame.iterationLimit) return outOfIterations(frame);
  if (isOpen(limits.stuck, breakers.stuck.count)) {
    return {
      reason: "stuck",
      detail: `"${breakers.stuck.lastUnmet}" stayed unmet ${breakers.stuck.count} times in a row`,
    };
  }
  if (isOpen(limits.sameError, breakers.sameError.count)) {
    return {
      reason: "same-error",
      detail: `the same error ${breakers.sameError.count} times in a row: ${breakers.sameError.signature}`,
    };
  }
  const file = limits.sameFile === 0 ? null : thrashingFile(facts.edits, limits.sameFile);
  if (file !== null) {
    return { reason: "thrashing", detail: `${file} was edited again and again without getting further` };
  }
  if (isOpen(noProgressLimit(loop, facts), breakers.noProgress.count)) {
    return {
      reason: "no-progress",
      detail: `nothing changed for ${breakers.noProgress.count} iterations in a row`,
    };
  }
  return null;
}

/** Switched off or far away, it still comes before a host that would override the hold without a word. */
function noProgressLimit({ limits }: Loop, { holdCap }: StopFacts): number {
  if (holdCap === null) return limits.noProgress;
  return limits.noProgress === 0 ? holdCap : Math.min(limits.noProgress, holdCap);
}

function isOpen(limit: number, count: number): boolean {
  return limit > 0 && count >= limit;
}
