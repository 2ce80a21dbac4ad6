import { describe, expect, test } from "vitest";
import {
  asked,
  closed,
  counselGiven,
  finding,
  gateJudged,
  intentSettled,
  resolved,
  shapeDrawn,
  stagesBegun,
  stagesWith,
  waveReviewed,
  workReviewed,
} from "../../../test/support/stage-builders.ts";
import { loopWith } from "../../../test/support/loop-builders.ts";
import { adopted, done, planned } from "../../../test/support/workflow-builders.ts";
import { ImpossibleEvent, type LoopEvent } from "../events/event.ts";
import { evolveStages, type OwnEvent } from "./evolve-stages.ts";
import { blockersLeft, stageOf, type Stages } from "./stages.ts";

describe("the stage of a loop", () => {
  const tasks = { goal: { exitRule: "tasks" } } as const;
  const plan = adopted([planned("T-1")]);

  const stages: readonly (readonly [stage: string, events: readonly LoopEvent[]])[] = [
    ["executing", []],
    ["intent", [stagesBegun]],
    ["shape", [stagesBegun, intentSettled]],
    ["decompose", [stagesBegun, intentSettled, shapeDrawn]],
    ["executing", [stagesBegun, intentSettled, shapeDrawn, plan]],
    ["executing", [stagesBegun, plan]],
    ["review", [stagesBegun, plan, ...done("T-1", 1)]],
    [
      "executing",
      [
        stagesBegun,
        plan,
        ...done("T-1", 1),
        { type: "plan.extended", tasks: [planned("R-1")], why: "review 1" },
      ],
    ],
    [
      "complete",
      [
        stagesBegun,
        plan,
        ...done("T-1", 1),
        { type: "loop.completed", confidence: "verified", why: [], changed: null },
      ],
    ],
  ];
  const told = stages.map(
    ([stage, events]) => [stage, events.map(({ type }) => type).join(", ") || "nothing", events] as const,
  );
  test.each(told)("is %s after %s", (stage, _, events) => {
    expect(stageOf(loopWith(tasks, ...events))).toBe(stage);
  });

  test("isn't there in a plain loop", () => {
    expect(stageOf(loopWith({}))).toBeNull();
  });
});

test("a settled intent sharpens the spec, and a shape adds must-nots", () => {
  const loop = loopWith({ goal: { exitRule: "tasks" } }, stagesBegun, intentSettled, shapeDrawn);

  expect(loop).toMatchObject({ shape: "tool", score: intentSettled.score });
  expect(loop.frames[0].spec).toBe(intentSettled.spec);
  expect(loop.mustNots).toContainEqual({ kind: "path", glob: "docs/**" });
});

test("a blocker is left until it is settled", () => {
  const found = stagesWith(
    workReviewed(1, { findings: [finding("F-1"), finding("F-2", { severity: "WARNING" })] }),
  );
  const left = ({ reviews }: Stages): readonly string[] =>
    reviews.flatMap((review) => blockersLeft(review).map(({ id }) => id));

  expect(left(found)).toEqual(["F-1"]);
  expect(left(evolveStages(found, resolved(1, "F-1")))).toEqual([]);
});

describe("an event that no workflow can have produced", () => {
  const reviewed = stagesWith(workReviewed(1, { findings: [finding("F-1")] }));

  test.each<readonly [title: string, stages: Stages | null, event: OwnEvent]>([
    ["anything before the stages", null, asked("q-1")],
    ["stages that begin twice", stagesWith(), stagesBegun],
    ["an intent that is settled twice", stagesWith(intentSettled), intentSettled],
    ["a second shape", stagesWith(shapeDrawn), shapeDrawn],
    ["a question that is open", stagesWith(asked("q-1")), asked("q-1")],
    ["the end of a question that isn't", stagesWith(asked("q-1"), closed("q-1")), closed("q-1")],
    ["a second counsel", stagesWith(counselGiven("T-1", 1)), counselGiven("T-1", 1)],
    ["a second review of a wave", stagesWith(waveReviewed(1)), waveReviewed(1)],
    ["a round that is left out", stagesWith(), workReviewed(2)],
    ["the end of a finding that isn't", reviewed, resolved(1, "F-9")],
    ["the end of a finding of another round", reviewed, resolved(2, "F-1")],
    ["a finding that is settled twice", evolveStages(reviewed, resolved(1, "F-1")), resolved(1, "F-1")],
  ])("is refused: %s", (_, stages, event) => {
    expect(() => evolveStages(stages, event)).toThrow(ImpossibleEvent);
  });
});

test("a gate may be judged again", () => {
  expect(stagesWith(gateJudged(1, false), gateJudged(2)).gates).toMatchObject([
    { passed: false },
    { passed: true },
  ]);
});
