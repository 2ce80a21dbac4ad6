import { expect, test } from "vitest";
import { checked, loopWith, opening, proofShown, START } from "../../../test/support/loop-builders.ts";
import { adopted, planned, started, workflowWith } from "../../../test/support/workflow-builders.ts";
import { evolve } from "../../core/events/evolve.ts";
import type { LoopEvent } from "../../core/events/event.ts";
import { lastAttempt } from "../../core/plan/workflow.ts";
import { envelopeOf } from "./envelope.ts";
import type { AttemptOutcome } from "./executor.ts";
import { keepAttempt } from "./keep-attempt.ts";

/** What an attempt came to whose loop has these events. */
async function kept(...events: readonly LoopEvent[]): Promise<AttemptOutcome> {
  const workflow = workflowWith(adopted([planned("T-1")]), started("T-1"));
  const attempt = lastAttempt(workflow, "T-1");
  if (attempt === null) throw new Error("nobody has begun it");
  const workspace = {
    keepResult: async () => ({ type: "stopped" }) as const,
    keepUnfinished: async () => null,
  };
  const envelope = envelopeOf(evolve(null, opening(), START), workflow, attempt);
  return keepAttempt(workspace, envelope, loopWith({ goal: { criteria: [checked("T-1")] } }, ...events));
}

const judged = proofShown("T-1", { kind: "judge", result: "fails", files: ["a.test.js"] });
const paused = (reason: "blocked" | "stuck"): LoopEvent => ({
  type: "loop.paused",
  reason,
  detail: null,
  by: "machine",
});
const cancelled: LoopEvent = { type: "loop.cancelled", by: "person" };

test.each<readonly [title: string, events: readonly LoopEvent[], outcome: unknown]>([
  [
    "waits for a person who may approve what it changed",
    [judged, paused("blocked")],
    { type: "unapproved", files: ["a.test.js"] },
  ],
  ["is blocked for another reason", [paused("blocked")], { type: "blocked" }],
  ["is set back, whatever it changed", [judged, paused("stuck")], { type: "set-back" }],
  [
    "is set back with what wasn't accepted",
    [judged, paused("blocked"), cancelled],
    {
      type: "set-back",
      setback: { detail: "A person cancelled the attempt. Its changes of a.test.js were not accepted." },
    },
  ],
  [
    "is set back when a person cancels it",
    [cancelled],
    { setback: { detail: "A person cancelled the attempt." } },
  ],
])("an attempt %s", async (_, events, outcome) => {
  expect(await kept(...events)).toMatchObject(outcome as object);
});
