import { expect, test } from "vitest";
import { loopWith } from "../../test/support/loop-builders.ts";
import {
  finding,
  recalled,
  resolved,
  stagesBegun,
  waveReviewed,
  workReviewed,
} from "../../test/support/stage-builders.ts";
import { adopted, done, planned } from "../../test/support/workflow-builders.ts";
import type { LoopEvent } from "../core/events/event.ts";
import type { Loop } from "../core/loop/loop.ts";
import { resumeAnnouncement } from "./loop-lines.ts";
import { workflowView } from "./files/state.ts";

const WARNING = finding("F-2", { severity: "WARNING" });

function workflow(...events: readonly LoopEvent[]): Loop {
  return loopWith(
    { goal: { exitRule: "tasks", spec: "Build the shop" }, binding: null },
    stagesBegun,
    recalled,
    adopted([planned("T-1"), planned("T-2")]),
    ...done("T-1", 1),
    ...events,
  );
}

test("a workflow that is resumed says its stage, scores, reviews and what is next", () => {
  const loop = workflow(
    waveReviewed(1, { score: 8, findings: [WARNING] }),
    waveReviewed(2, { score: 7, findings: [finding("F-1"), WARNING] }),
  );
  expect(resumeAnnouncement(loop, [])).toBe(
    `[LOOP RESUME] Active loop detected
Stage: executing | Spec: 8/10 | Fit: 49
Progress: 1/2 tasks | Wave: 0
Reviews: wave 1: 8/10, wave 2: 7/10 (1 blocker)
Next: start T-2`,
  );
});

test("workflow-state.json has what was recalled and how the reviews went", () => {
  const found = workReviewed(1, { findings: [finding("F-1"), WARNING] });
  const loop = workflow(
    waveReviewed(1, { score: 8, findings: [WARNING] }),
    waveReviewed(2, { score: null, failure: "no answer" }),
    found,
  );
  expect(workflowView(loop)).toMatchObject({
    version: 1,
    stage: "executing",
    task: "Build the shop",
    spec_score: 8,
    fit_score: 49,
    shape_chosen: "tool",
    recall_surfaced: ["The tests need a built dist."],
    reviews: {
      wave_1: { score: 8, issues: 1, blockers: 0 },
      wave_2: { score: null, issues: 0, blockers: 0 },
      thorough: { passed: false, blockers_remaining: 1 },
    },
  });
});

test.each<readonly [text: string, events: readonly LoopEvent[]]>([
  ["none", []],
  ["thorough: 1 blocker left", [workReviewed(1, { findings: [finding("F-1")] })]],
  ["thorough: 1 blocker settled", [workReviewed(1, { findings: [finding("F-1")] }), resolved(1, "F-1")]],
  ["thorough: no answer", [workReviewed(1, { failure: "it said nothing" })]],
  ["wave 1: no answer", [waveReviewed(1, { score: null, failure: "it said nothing" })]],
])("the reviews are %s", (text, events) => {
  expect(resumeAnnouncement(workflow(...events), [])).toContain(`\nReviews: ${text}\n`);
});

test("a review without an answer has not passed", () => {
  expect(workflowView(workflow(workReviewed(1, { failure: "it said nothing" })))).toMatchObject({
    reviews: { thorough: { passed: false, blockers_remaining: 0 } },
  });
});
