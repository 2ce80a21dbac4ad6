import { isDriven, topFrame, type Confidence, type Loop } from "../../core/loop/loop.ts";
import { failureText } from "../../core/plan/shown-task.ts";
import type { AttemptEnvelope, AttemptOutcome } from "./executor.ts";
import type { Workspace } from "./workspace.ts";
import type { EventOf, LoopEvent } from "../../core/events/event.ts";
import { awaited, type Attempt } from "../../core/plan/workflow.ts";
import { recordOurs, type OwnRun } from "../run/take-loop.ts";
import { workflowOf } from "./take-workflow.ts";
import { AT_THE_BEGINNING } from "../../storage/journal/journal.ts";
import type { LiveLoop } from "../../storage/loops/live-loop.ts";

export function keepUnchanged({ base }: AttemptEnvelope): AttemptOutcome {
  return { type: "finished", commit: base, confidence: "verified", doubts: [] };
}

/** What the attempt came to. Its files are in a ref before anybody is told. */
export async function keepAttempt(
  workspace: Pick<Workspace, "keepResult" | "keepUnfinished">,
  envelope: AttemptEnvelope,
  loop: Loop,
): Promise<AttemptOutcome> {
  switch (loop.phase) {
    case "active":
      return { type: "stopped" };
    case "completed":
      if (isUntouched(loop)) return keepUnchanged(envelope);
      return withReasons(
        await workspace.keepResult(envelope, {
          confidence: confidenceIn(envelope, loop.confidence),
          checked: checkedTrees(loop),
        }),
        envelope,
        loop.why,
      );
    case "cancelled":
      return {
        type: "set-back",
        setback: { kind: "failed", detail: whyCancelled(loop), carry: null, failing: [] },
      };
    case "paused": {
      if (loop.reason === "user") return { type: "stopped" };
      if (loop.reason === "rate-limit")
        return { type: "paused", reason: "rate-limit", detail: loop.detail ?? "its agent met a usage limit" };
      const unkept = await workspace.keepUnfinished(envelope);
      if (unkept !== null) return unkept;
      const setback = {
        kind: "failed",
        detail: whatFailed(envelope, loop),
        carry: null,
        failing: [],
      } as const;
      if (loop.reason !== "blocked") return { type: "set-back", setback };
      const files = unapprovedIn(loop);
      return files.length > 0 ? { type: "unapproved", setback, files } : { type: "blocked", setback };
    }
  }
}

/** A weak result says why: nobody looks for it in the attempt's own journal. */
function withReasons(
  outcome: AttemptOutcome,
  { task }: AttemptEnvelope,
  why: readonly string[],
): AttemptOutcome {
  if (outcome.type !== "finished" || outcome.confidence !== "weak") return outcome;
  // The criterion of an attempt has the name of its task.
  const reasons = why.map((each) => each.replaceAll(`"${task}"`, "its check"));
  return { ...outcome, doubts: [...reasons, ...outcome.doubts] };
}

function whyCancelled(loop: Loop): string {
  const files = unapprovedIn(loop).join(", ");
  const refused = files === "" ? "" : ` Its changes of ${files} were not accepted.`;
  return `A person cancelled the attempt.${refused}`;
}

/** The files that its checks ran on, as digests; one that changes files itself shows nothing of them. */
function checkedTrees(loop: Loop): readonly string[] {
  const shown = topFrame(loop).criteria.flatMap(({ evidence }) => evidence ?? []);
  return shown.flatMap(({ treeDigest, alteredTree }) =>
    treeDigest === null || alteredTree ? [] : [treeDigest],
  );
}

/** That other tasks still hold shows nothing of this one. */
function confidenceIn({ task, criteria }: AttemptEnvelope, shown: Confidence): Confidence {
  return criteria.some(({ name }) => name === task) ? shown : "unverified";
}

/** With paths as the project has them: the worktree is gone when somebody reads it. */
function whatFailed({ worktree }: AttemptEnvelope, loop: Loop & { readonly phase: "paused" }): string {
  const { criteria, tried } = topFrame(loop);
  const { reason, detail } = loop;
  const checks = criteria.flatMap(({ name, evidence }) =>
    evidence === null || evidence.passed
      ? []
      : [{ name, ending: evidence.ending, output: evidence.outputTail }],
  );
  // The error of a check is in what it printed; that of the agent's service is only here.
  const isPrinted = reason === "same-error" && checks.length > 0;
  const text = failureText({
    why: `It paused: ${reason}${detail === null || isPrinted ? "" : ` (${detail})`}.`,
    said: tried.flatMap(({ said }) => (said === null ? [] : [said])),
    checks,
  });
  return worktree === null ? text : text.replaceAll(`${worktree}/`, "");
}

/** No agent has worked on it: neither a driven one nor that of a session. */
function isUntouched(loop: Loop): boolean {
  return topFrame(loop).launched === 0 && (loop.binding === null || isDriven(loop));
}

type Ended = Extract<AttemptOutcome, { readonly type: "finished" | "set-back" | "blocked" | "unapproved" }>;

/** Records what an attempt came to, and what else belongs to it. null: it had a result already, or the loop is no longer this run's. */
export async function recordResult(
  { live, run }: Pick<OwnRun, "live" | "run">,
  attempt: Pick<Attempt, "task" | "number">,
  outcome: Ended,
  more: readonly LoopEvent[] = [],
): Promise<Loop | null> {
  const isAwaited = (loop: Loop): boolean => awaited(workflowOf(loop), attempt) !== null;
  return recordOurs({ live, run }, [eventOf(attempt, outcome), ...more], isAwaited);
}

function eventOf({ task, number }: Pick<Attempt, "task" | "number">, outcome: Ended): LoopEvent {
  if (outcome.type !== "finished")
    return { type: "attempt.set-back", task, number, setback: outcome.setback };
  const { commit, confidence, doubts } = outcome;
  return { type: "attempt.finished", task, number, commit, confidence, doubts };
}

/** Tests and definitions that an attempt changed and that nobody has approved: as they were before, its check fails. */
function unapprovedIn(loop: Loop): readonly string[] {
  return [...new Set(topFrame(loop).criteria.flatMap(({ judgedAgainst }) => judgedAgainst ?? []))];
}

/**
 * Its agent could not be started, or was not let in: nobody worked, so that isn't an attempt, and it resumes once a person has seen to it.
 * null: that isn't why it paused.
 */
export async function refusal({ loop, journal }: LiveLoop): Promise<AttemptOutcome | null> {
  if (loop.phase !== "paused" || loop.reason !== "blocked") return null;
  const outcomes = new Set<EventOf<"turn.ended">["outcome"]>();
  await journal.follow(AT_THE_BEGINNING).next(({ events }) => {
    for (const event of events) if (event.type === "turn.ended") outcomes.add(event.outcome);
  });
  // One that worked before may have removed what its next turn needs.
  if (outcomes.size !== 1 || !outcomes.has("blocking")) return null;
  return { type: "paused", reason: "blocked", detail: loop.detail ?? "its agent cannot be started" };
}

/** Whether a person has approved something since the loop paused. */
export async function wasApprovedSince({ journal }: Pick<LiveLoop, "journal">): Promise<boolean> {
  let isApproved = false;
  await journal.follow(AT_THE_BEGINNING).next(({ events }) => {
    for (const { type } of events) {
      if (type === "loop.paused") isApproved = false;
      if (type === "opening.approved") isApproved = true;
    }
  });
  return isApproved;
}
