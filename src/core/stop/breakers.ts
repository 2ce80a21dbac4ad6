import { isMet, type Criterion, type Evidence } from "../loop/criterion.ts";
import { topFrame, type Breakers, type Frame, type Loop, type TreeMark } from "../loop/loop.ts";
import { errorSignature, errorText, withoutDigest } from "./error-signature.ts";
import type { StopFacts, FileEdit } from "./facts.ts";
import { usedUpAtStop, type Trip } from "./limits.ts";

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
  // A pass that doesn't count (another tree, a changed protected path) isn't an error.
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
    // Without tool use nothing changes unseen, so only what is known on both sides can show progress.
    const stoodStill = last === null || isSameAsFarAsKnown(last, fingerprint);
    return { fingerprint, count: stoodStill ? count + 1 : 0 };
  }
  // If tools aren't counted, an unreadable tree proves nothing either way.
  if (tree === null) return { fingerprint: last, count };
  return { fingerprint, count: fingerprint === last ? count + 1 : 0 };
}

/** Whether telling progress from standstill needs a tree reading. */
export function needsTreeForProgress(loop: Loop, facts: StopFacts): boolean {
  if (loop.limits.noProgress === 0 || facts.findings.tree !== undefined) return false;
  return facts.toolUses === null || facts.toolUses === 0;
}

/** The first limit or breaker reached, in the order they are reported. */
export function trippedBy(loop: Loop, breakers: Breakers, facts: StopFacts): Trip | null {
  return usedUpAtStop(loop, facts.now) ?? openBreaker(loop, breakers, facts) ?? hostsCap(facts);
}

/** A hold that the host ignores would leave an active loop that holds nobody. */
export function hostsCap({ promptCap }: StopFacts): Trip | null {
  if (promptCap === undefined || promptCap.held < promptCap.most) return null;
  const { most, host, raise } = promptCap;
  const times = most === 1 ? "once" : `${most} times`;
  return {
    reason: "iterations",
    detail: `${host} lets a hook hold one prompt ${times}${raise === null ? "" : `; raise it: ${raise}`}`,
  };
}

/** The same thing too often in a row: stuck, the same error, one file over and over, no progress. */
function openBreaker(loop: Loop, breakers: Breakers, facts: StopFacts): Trip | null {
  const { limits } = loop;
  if (isOpen(limits.stuck, breakers.stuck.count)) {
    return {
      reason: "stuck",
      detail: `"${breakers.stuck.lastUnmet}" stayed unmet ${inARow(breakers.stuck.count)}`,
    };
  }
  if (isOpen(limits.sameError, breakers.sameError.count)) {
    return {
      reason: "same-error",
      detail: `the same error ${inARow(breakers.sameError.count)}: ${sameErrorText(loop, breakers.sameError.signature ?? "")}`,
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

function inARow(count: number): string {
  return count === 1 ? "once" : `${count} times in a row`;
}

/** As it was printed, where that is still known. */
function sameErrorText(loop: Loop, signature: string): string {
  const printed = topFrame(loop).criteria.flatMap(({ name, evidence }) =>
    evidence !== null && errorSignature(name, evidence.outputTail) === signature
      ? [failureText(name, evidence)]
      : [],
  );
  return printed[0] ?? withoutDigest(signature);
}

/** What a check printed before its time was up is no error, and one that printed nothing says only how it ended. */
function failureText(name: string, { outputTail, exitCode, ending }: Evidence): string {
  return exitCode === null || outputTail.trim() === "" ? `${name}: ${ending}` : errorText(name, outputTail);
}

/** Even when switched off or set high, it acts before a host would silently override the hold. */
function noProgressLimit({ limits }: Loop, { holdCap }: StopFacts): number {
  if (holdCap === null) return limits.noProgress;
  return limits.noProgress === 0 ? holdCap : Math.min(limits.noProgress, holdCap);
}

function isOpen(limit: number, count: number): boolean {
  return limit > 0 && count >= limit;
}

/**
 * The file that one iteration edits over and over, to the same failure or back to earlier content, as often as the limit
 * allows. Many edits that lead somewhere new are work, not thrashing.
 */
export function thrashingFile(edits: readonly FileEdit[], limit: number): string | null {
  const files = new Map<string, { contents: Set<string>; lastFailure: string | null; vain: number }>();
  for (const edit of edits) {
    const file = files.get(edit.path) ?? { contents: new Set<string>(), lastFailure: null, vain: 0 };
    const isBack = file.contents.has(edit.contentDigest);
    const isSameFailure = edit.failure !== null && edit.failure === file.lastFailure;
    if (isBack || isSameFailure) file.vain += 1;
    if (file.vain >= limit) return edit.path;
    file.contents.add(edit.contentDigest);
    file.lastFailure = edit.failure;
    files.set(edit.path, file);
  }
  return null;
}

const UNKNOWN = "?";

/** Everything that shows progress: the tree, the commit, and what is met, done or completed. */
export function fingerprintOf(frame: Frame, mark: TreeMark): string {
  const met = frame.criteria.filter((each) =>
    isMet(each, { tree: undefined, protectedDigest: each.evidence?.protectedDigest ?? null }),
  );
  const done = frame.steps.filter((step) => step.done).length;
  const tasks = frame.tasks.map((task) => task.status);
  return [
    mark.tree ?? UNKNOWN,
    mark.head ?? UNKNOWN,
    met.length,
    done,
    tasks.filter((status) => status === "completed").length,
    tasks.filter((status) => status === "in_progress").length,
  ].join(" ");
}

function isSameAsFarAsKnown(before: string, after: string): boolean {
  const parts = after.split(" ");
  return before
    .split(" ")
    .every((part, index) => part === parts[index] || part === UNKNOWN || parts[index] === UNKNOWN);
}
