import { describe, expect, test } from "vitest";
import { START } from "../../../test/support/loop-builders.ts";
import {
  counselGiven,
  finding,
  gateJudged,
  resolved,
  stagesWith,
  waveReviewed,
  workReviewed,
} from "../../../test/support/stage-builders.ts";
import {
  adopted,
  branchBegun,
  commit,
  done,
  failed,
  planned,
  started,
  workflowWith,
} from "../../../test/support/workflow-builders.ts";
import type { EventOf } from "../events/event.ts";
import { schedule } from "../plan/schedule.ts";
import type { Facts, Step } from "../plan/step.ts";
import type { WorkflowEvent } from "../plan/workflow-event.ts";
import type { Workflow } from "../plan/workflow.ts";
import { areRoundsUsedUp } from "./asking.ts";
import { withMoreRounds } from "./evolve-stages.ts";
import type { Stages } from "./stages.ts";

const FACTS: Facts = {
  now: START,
  budgetUsd: null,
  spentUsd: 0,
  tokenLimit: null,
  spentTokens: 0,
  turnUsd: 0,
  areCapped: true,
  agents: ["codex"],
  overlap: () => false,
  isGit: true,
  underWay: new Set(),
};
const waves: readonly WorkflowEvent[] = [
  { type: "wave.begun", wave: 1 },
  { type: "wave.ended", wave: 1 },
];

/** One task, whose work is at the tip `b`. */
const allDone = workflowWith(adopted([planned("T-1")]), branchBegun, ...done("T-1", 1), ...waves);
/** And one more for what was found, merged without changing anything. */
const unchanged = workflowWith(
  adopted([planned("T-1")]),
  branchBegun,
  ...done("T-1", 1),
  ...waves,
  { type: "plan.extended", tasks: [planned("R-1", ["T-1"])], why: "review 1" },
  { type: "wave.begun", wave: 2 },
  ...done("R-1", 2),
  { type: "wave.ended", wave: 2 },
);

const next = (workflow: Workflow, stages: Stages | null, facts: Partial<Facts> = {}): readonly Step[] =>
  schedule(workflow, stages, { ...FACTS, ...facts });
const looked = waveReviewed(1);
const blocked = workReviewed(1, { findings: [finding("F-1")] });
const asTask = resolved(1, "F-1", { how: "task", task: "R-1", by: "machine" });

describe("once every task is done", () => {
  test.each<
    readonly [title: string, events: readonly EventOf<"work.reviewed" | "gate.judged">[], step: Step]
  >([
    ["the work is reviewed", [], { type: "review", round: 1 }],
    ["what was found is settled", [blocked], { type: "resolve", round: 1 }],
    [
      "also what isn't a blocker",
      [workReviewed(1, { findings: [finding("F-1", { severity: "SUGGESTION" })] })],
      { type: "resolve", round: 1 },
    ],
    ["the gate is judged when nothing is left", [workReviewed(1)], { type: "gate", round: 1 }],
    [
      "or when there was no usable answer",
      [workReviewed(1, { failure: "no JSON" })],
      { type: "gate", round: 1 },
    ],
    ["it ends behind the gate", [workReviewed(1), gateJudged(1)], { type: "finish" }],
    [
      "a verdict about other files counts for nothing",
      [workReviewed(1), { ...gateJudged(1), commit: commit("9") }],
      { type: "gate", round: 2 },
    ],
    [
      "a review of other files counts for nothing",
      [{ ...workReviewed(1), commit: commit("9") }],
      { type: "review", round: 2 },
    ],
  ])("%s", (_, events, step) => {
    expect(next(allDone, stagesWith(looked, ...events))).toEqual([step]);
  });

  test("nothing is reviewed without git, without models, or without changes", () => {
    const gate = [{ type: "gate", round: 1 }];
    const silent = { ...stagesWith(), policy: { asks: false, rounds: 3 } };
    const same = { ...allDone, branch: { ...branchBegun, tip: branchBegun.from } };

    expect(next(allDone, stagesWith(), { isGit: false })).toEqual(gate);
    expect(next(allDone, silent)).toEqual(gate);
    expect(next(same, stagesWith(looked))).toEqual(gate);
  });

  test("a workflow without stages ends as it always did", () => {
    expect(next(allDone, null)).toEqual([{ type: "finish" }]);
  });
});

describe("a blocker", () => {
  test("comes back when its task changed nothing", () => {
    const stages = stagesWith(looked, waveReviewed(2), blocked, asTask);
    expect(next(unchanged, stages)).toEqual([{ type: "resolve", round: 1 }]);
  });

  test("is settled once somebody accepts it then", () => {
    const accepted = resolved(1, "F-1", { how: "approved" });
    const stages = stagesWith(looked, waveReviewed(2), blocked, asTask, accepted);
    expect(next(unchanged, stages)).toEqual([{ type: "gate", round: 1 }]);
  });
});

describe("rounds", () => {
  const stale = { ...workReviewed(1), commit: commit("9") };
  const three = stagesWith(looked, stale, { ...stale, round: 2 }, { ...stale, round: 3 });

  test("come to an end, and a person gives more", () => {
    expect(next(allDone, three)).toMatchObject([{ type: "pause", reason: "iterations" }]);
    expect(areRoundsUsedUp(allDone, three)).toBe(true);
    const more = withMoreRounds(three, 1);
    expect(next(allDone, more)).toEqual([{ type: "review", round: 4 }]);
    expect(areRoundsUsedUp(allDone, more)).toBe(false);
  });

  test("bound a gate that stays shut, too", () => {
    const shut = [1, 2, 3].map((round) => ({ ...gateJudged(round, false), tasks: 0 }));
    expect(next(allDone, stagesWith(looked, workReviewed(1), ...shut))).toMatchObject([
      { type: "pause", reason: "iterations" },
    ]);
  });
});

describe("what is asked beside the work", () => {
  const two = [planned("T-1"), planned("T-2")];
  const once = workflowWith(adopted(two), branchBegun, started("T-1"), failed("T-1"));

  test("a task that failed waits for another approach, and others go on", () => {
    const steps = next(once, stagesWith());
    expect(steps).toContainEqual({ type: "counsel", task: "T-1", after: 1 });
    expect(steps.flatMap((step) => (step.type === "start" ? [step.task] : []))).toEqual(["T-2"]);
  });

  test("it starts again with its approach", () => {
    const starts = next(once, stagesWith(counselGiven("T-1", 1))).filter(({ type }) => type === "start");
    expect(starts).toMatchObject([{ task: "T-1", number: 2 }, { task: "T-2" }]);
  });

  test.each(["conflict", "lost", "setup"] as const)("a %s says nothing about the approach", (kind) => {
    const workflow = workflowWith(adopted(two), branchBegun, started("T-1"), failed("T-1", 1, { kind }));
    expect(next(workflow, stagesWith()).filter(({ type }) => type === "counsel")).toEqual([]);
  });

  test("a question that is under way isn't asked again, and the loop doesn't end meanwhile", () => {
    const one = workflowWith(adopted([planned("T-1")]), branchBegun, started("T-1"), failed("T-1"));
    expect(next(one, stagesWith(), { underWay: new Set(["counsel T-1 1"]) })).toEqual([]);
    const judged = stagesWith(workReviewed(1), gateJudged(1));
    expect(next(allDone, judged, { underWay: new Set(["wave 1"]) })).toEqual([]);
    expect(next(allDone, judged)).toEqual([{ type: "review-wave", wave: 1 }]);
  });

  test("a wave is looked at beside the thorough review", () => {
    expect(next(allDone, stagesWith(), { underWay: new Set(["wave 1"]) })).toEqual([
      { type: "review", round: 1 },
    ]);
  });
});
