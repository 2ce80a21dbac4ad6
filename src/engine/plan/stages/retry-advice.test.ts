import { expect, test } from "vitest";
import { opening, START } from "../../../../test/support/loop-builders.ts";
import { stagesBegun } from "../../../../test/support/stage-builders.ts";
import { adopted, failed, planned, started } from "../../../../test/support/workflow-builders.ts";
import type { LoopEvent } from "../../../core/events/event.ts";
import { evolveAll } from "../../../core/events/evolve.ts";
import type { Loop } from "../../../core/loop/loop.ts";
import { failureText } from "../../../core/plan/shown-task.ts";
import type { RetryAdvice } from "../../../core/stages/stages.ts";
import { counselFor } from "./retry-advice.ts";

const TASK = planned("T-1");

function failure(said: string, output: string): string {
  const checks = [{ name: "T-1", ending: "failed with exit code 1", output }];
  return failureText({ why: "It paused: stuck.", said: [said], checks });
}

async function counselled(loop: Loop, after: number): Promise<RetryAdvice> {
  const answer = { views: [], approach: `Follow one input through the code, as number ${after}.` };
  const asker = { ask: async () => ({ type: "answered", answer, agent: "codex", isCached: false }) };
  return counselFor(
    { live: { loop }, machine: { env: {} }, asker: asker as never },
    TASK,
    after,
    new AbortController().signal,
  );
}

/** Who is asked after the second of two failures, as far as they were not asked after the first. */
async function newcomers(one: string, other: string): Promise<readonly string[]> {
  const after = (loop: Loop, ...events: readonly LoopEvent[]): Loop => evolveAll(loop, events, START);
  const begun = evolveAll(
    null,
    [opening({ goal: { exitRule: "tasks" } }), stagesBegun, adopted([TASK])],
    START,
  );
  const once = after(begun, started("T-1"), failed("T-1", 1, { detail: one }));
  const first = await counselled(once, 1);
  const given = after(once, { type: "counsel.given", ...first }, started("T-1", 2));
  const second = await counselled(after(given, failed("T-1", 2, { detail: other })), 2);
  return second.perspectives.filter((name) => !first.perspectives.includes(name));
}

test("the same failure again is looked at by others, whatever the agent said about it", async () => {
  const output = "not ok 1 - slug";
  expect(await newcomers(failure("I failed at first.", output), failure("All done!", output))).toHaveLength(
    4,
  );
  expect(await newcomers(failure("All done!", output), failure("All done!", "not ok 2 - wrap"))).toEqual([]);
});
