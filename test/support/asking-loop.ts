import * as v from "valibot";
import { setLimits } from "../../src/engine/opening/limits.ts";
import { openLoop } from "../../src/engine/opening/open-loop.ts";
import type { Question } from "../../src/core/questions/question.ts";
import type { LoopEvent } from "../../src/core/events/event.ts";
import type { SessionId } from "../../src/core/loop/id.ts";
import type { KnownLoop } from "../../src/storage/loops/known-loop.ts";
import type { Machine } from "../../src/storage/loops/machine.ts";
import { approvePlan } from "../../src/storage/home/approval-record.ts";
import { ownMark } from "../../src/system/process/process-facts.ts";

export interface Verdict {
  readonly verdict: string;
  readonly score: number;
}

/** A question with a small answer. */
export function question(part: Partial<Question<Verdict>> = {}): Question<Verdict> {
  return {
    purpose: "thorough-review",
    id: "review-1",
    text: "Is it good?",
    schema: v.object({ verdict: v.string(), score: v.number() }),
    commit: null,
    ...part,
  };
}

export interface Policy {
  readonly asks?: boolean;
  readonly budgetUsd?: number;
}

/** A loop with stages, driven by this process. */
export async function openAskingLoop(
  machine: Machine,
  run: SessionId,
  { asks = true, budgetUsd = 5 }: Policy = {},
): Promise<KnownLoop> {
  const chosen = await openLoop(machine, {
    kind: "plain",
    spec: "Do it",
    criteria: [],
    steps: [],
    mustNots: [],
    protects: [],
    exitRule: "tasks",
    mode: "loop",
    shape: "tool",
    limits: setLimits({ budgetUsd }, {}, null),
    proof: "standard",
    proofBudgetMs: null,
    mayChange: [],
    binding: null,
  });
  await chosen.live.record(() => [{ type: "stages.begun", policy: { asks, rounds: 3 } }, runBegan(run)]);
  // The policy is part of what is locked.
  approvePlan(machine.home, chosen.live.project.root, chosen.live.loop);
  return chosen;
}

export function runBegan(run: SessionId): LoopEvent {
  return { type: "run.began", run, driver: "rehearsal", model: null, process: ownMark() };
}
