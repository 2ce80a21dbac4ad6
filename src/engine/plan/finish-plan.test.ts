import { expect, test } from "vitest";
import { loopWith } from "../../../test/support/loop-builders.ts";
import {
  finding,
  gateJudged,
  resolved,
  stagesBegun,
  workReviewed,
} from "../../../test/support/stage-builders.ts";
import {
  adopted,
  branchBegun,
  commit,
  done,
  finished,
  mergeBegun,
  merged,
  planned,
  started,
} from "../../../test/support/workflow-builders.ts";
import type { LoopEvent } from "../../core/events/event.ts";
import { SAME_MEANING, type GateItem } from "../../core/stages/stages.ts";
import { completionOf } from "./finish-plan.ts";

const of = (...events: readonly LoopEvent[]): ReturnType<typeof completionOf> =>
  completionOf(
    loopWith(
      { goal: { exitRule: "tasks" } },
      stagesBegun,
      adopted([planned("T-1")]),
      branchBegun,
      ...done("T-1", 1),
      ...events,
    ),
  );
const gateWith = (item: Omit<GateItem, "name">): LoopEvent => ({
  ...gateJudged(1),
  items: [{ name: SAME_MEANING, ...item }],
});
const blocked = workReviewed(1, { findings: [finding("F-1")] });

test.each<readonly [title: string, events: readonly LoopEvent[], confidence: string, why: unknown]>([
  ["no review", [], "verified", []],
  [
    "a review that nobody could be asked for",
    [workReviewed(1, { agent: null, failure: "x" })],
    "verified",
    [],
  ],
  ["a review that found nothing", [workReviewed(1)], "verified", []],
  [
    "no usable answer",
    [workReviewed(1, { failure: "no JSON" })],
    "weak",
    [expect.stringContaining("no JSON")],
  ],
  [
    "a review of other files",
    [{ ...workReviewed(1), commit: commit("9") }],
    "weak",
    [expect.stringContaining("not reviewed")],
  ],
  [
    "an accepted blocker",
    [blocked, resolved(1, "F-1", { how: "approved" })],
    "weak",
    [expect.stringContaining("F-1")],
  ],
  [
    "checks that no longer mean what they meant",
    [gateWith({ state: "weak", detail: "look.sh was changed" })],
    "weak",
    ["look.sh was changed"],
  ],
  ["checks that mean what they meant", [gateWith({ state: "met", detail: null })], "verified", []],
])("with %s", (_, events, confidence, why) => {
  expect(of(...events)).toEqual({ confidence, why });
});

test("a task that was left out is named with the first line of the reason, as a part of a sentence", () => {
  const loop = loopWith(
    { goal: { exitRule: "tasks" } },
    stagesBegun,
    adopted([planned("T-1")]),
    branchBegun,
    {
      type: "task.skipped",
      task: "T-1",
      why: "It paused: same-error.\nMore",
      by: "person",
    },
  );
  expect(completionOf(loop).why).toEqual(["T-1 was left out: It paused: same-error"]);
});

test("a task for a finding that its check can't show says what could", () => {
  const loop = loopWith(
    { goal: { exitRule: "tasks" } },
    stagesBegun,
    adopted([planned("T-1")]),
    branchBegun,
    started("T-1"),
    { ...finished("T-1"), confidence: "weak", doubts: ["nothing notices it"] },
    mergeBegun(1, "T-1"),
    merged(1, "T-1"),
    blocked,
    resolved(1, "F-1", { how: "task", task: "T-1" }),
  );
  expect(completionOf(loop).why).toEqual(
    expect.arrayContaining(["T-1 is weak: nothing notices it", expect.stringContaining("--allow-check")]),
  );
});

test("a check that failed and passed on the same files makes it weak, and is named", () => {
  expect(of({ type: "check.wavered", check: "T-1" }, { type: "check.wavered", check: "T-1" })).toEqual({
    confidence: "weak",
    why: ["T-1 is weak: its check `test T-1` is flaky: it failed and passed on the same files"],
  });
});

test("a must-not that wavered on the same files makes the completion weak, although no task has it", () => {
  expect(of({ type: "check.wavered", check: "run: lint" })).toEqual({
    confidence: "weak",
    why: ["run: lint is flaky: it failed and passed on the same files"],
  });
});

test("a result that isn't what its checks ran on makes it weak, and says why", () => {
  const loop = loopWith(
    { goal: { exitRule: "tasks" } },
    adopted([planned("T-1")]),
    branchBegun,
    started("T-1"),
    { ...finished("T-1"), doubts: ["its files changed after its checks had run"] },
    mergeBegun(1, "T-1"),
    merged(1, "T-1"),
  );
  expect(completionOf(loop)).toEqual({
    confidence: "weak",
    why: ["T-1 is weak: its files changed after its checks had run"],
  });
});
