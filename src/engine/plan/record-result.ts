import type { LoopEvent } from "../../core/event.ts";
import type { Loop } from "../../core/loop.ts";
import type { Attempt } from "../../core/plan/workflow.ts";
import { awaited } from "../../core/plan/workflow.ts";
import type { AttemptOutcome } from "./executor.ts";
import type { OwnRun } from "../run/take-loop.ts";
import { recordOurs } from "../run/take-loop.ts";
import { workflowOf } from "./take-workflow.ts";

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
