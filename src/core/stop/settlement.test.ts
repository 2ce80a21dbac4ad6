import { describe, expect, test } from "vitest";
import { loopWith, settle, stopFacts } from "../../../test/support/loop-builders.ts";
import {
  counselGiven,
  intentSettled,
  shapeDrawn,
  stagesBegun,
  waveReviewed,
  workReviewed,
} from "../../../test/support/stage-builders.ts";
import {
  adopted,
  branchBegun,
  done,
  failed,
  planned,
  started,
} from "../../../test/support/workflow-builders.ts";
import type { LoopEvent } from "../events/event.ts";
import type { Loop } from "../loop/loop.ts";
import { evolveAll } from "../events/evolve.ts";
import { decide } from "./decide.ts";
import { planHold } from "./hold-reason.ts";

const tasks = { goal: { exitRule: "tasks" } } as const;
const plan = adopted([planned("T-1"), planned("T-2"), planned("T-3", ["T-1"])]);
const working = (...events: readonly LoopEvent[]): Loop => loopWith(tasks, plan, branchBegun, ...events);

describe("a stop in a session with a plan", () => {
  test("asks for the settlement before anything else decides", () => {
    const decision = decide({ type: "loop", loop: working() }, stopFacts());

    expect(decision).toEqual({ type: "needs", needs: [{ type: "settlement" }] });
  });

  test("is held with what is ready, at work and rejected", () => {
    const { verdict } = settle(working(started("T-1")), stopFacts(), {
      settlement: { rejected: [{ task: "T-1", why: "the test fails" }] },
    });

    expect(verdict).toMatchObject({
      type: "hold",
      reason: {
        unmet: ["T-1 Do T-1", "T-2 Do T-2", "T-3 Do T-3"],
        plan: { ready: ["T-2"], atWork: [], rejected: [{ task: "T-1" }], isReviewDue: false },
      },
    });
  });

  test("doesn't complete because every task is merged, nor because the agent says so", () => {
    const merged = working(...done("T-1", 1), ...done("T-2", 2), ...done("T-3", 3), {
      type: "exit.signalled",
      source: "command",
    });

    expect(settle(merged, stopFacts()).verdict.type).toBe("hold");
  });

  test("counts no iteration while the settlement goes on", () => {
    const decision = decide(
      { type: "loop", loop: working(started("T-1")) },
      stopFacts({ findings: { outlasting: ["T-1"], tree: "tree-0" } }),
    );

    expect(decision).toMatchObject({
      verdict: { type: "hold", because: "checks-running", names: ["T-1"] },
      events: [{ type: "wait.began" }],
    });
  });

  test.each<readonly [title: string, end: LoopEvent, verdict: object]>([
    [
      "completed",
      { type: "loop.completed", confidence: "weak", why: ["T-1 is weak"], changed: null },
      { because: "completed", confidence: "weak", why: ["T-1 is weak"] },
    ],
    [
      "paused",
      { type: "loop.paused", reason: "blocked", detail: "a branch is checked out", by: "machine" },
      { because: "paused", reason: "blocked", detail: "a branch is checked out" },
    ],
    ["cancelled", { type: "loop.cancelled", by: "person" }, { because: "ended" }],
  ])("says once that the settlement %s the loop", (_, end, verdict) => {
    const loop = working(end);
    const facts = stopFacts({ findings: { settlement: { rejected: [] } } });

    expect(decide({ type: "loop", loop }, facts)).toMatchObject({ verdict, events: [] });
  });

  test("never counts backwards when a wave begins after several holds", () => {
    const held: LoopEvent = { type: "iteration.held", iteration: 1, sentFailure: null };
    const loop = working(held, { ...held, iteration: 2 }, { type: "wave.begun", wave: 1 });

    expect(loop.frames[0].iteration).toBe(2);
  });
});

describe("what a session does next for its plan", () => {
  const merged = [...done("T-1", 1), ...done("T-2", 2), ...done("T-3", 3)];

  test("is no more than may run at once", () => {
    const narrow = loopWith(tasks, { ...plan, parallel: 1 });

    expect(planHold(narrow, null).ready).toEqual(["T-1"]);
    expect(planHold(working(started("T-1"), started("T-2", 1, { slot: 2 })), null)).toMatchObject({
      ready: [],
      atWork: ["T-1", "T-2"],
    });
  });

  test.each<readonly [title: string, isDue: boolean, events: readonly LoopEvent[]]>([
    ["is a review when all tasks are merged", true, [stagesBegun, ...merged]],
    ["is none before", false, [stagesBegun, ...done("T-1", 1)]],
    [
      "is none where nobody is asked",
      false,
      [{ ...stagesBegun, policy: { asks: false, rounds: 1 } }, ...merged],
    ],
    ["is none for what was reviewed", false, [stagesBegun, ...merged, workReviewed(1)]],
  ])("%s", (_, isDue, events) => {
    expect(planHold(working(...events), null).isReviewDue).toBe(isDue);
  });
});

describe("a stop in a session on the way to its plan", () => {
  const staged = (...events: readonly LoopEvent[]): Loop => loopWith(tasks, stagesBegun, ...events);

  test("waits for its user, who says what is meant, without counting an iteration", () => {
    expect(decide({ type: "loop", loop: staged() }, stopFacts())).toMatchObject({
      verdict: { type: "let-go", because: "not-an-end", stop: "awaiting-user" },
      events: [{ type: "wait.began", what: "awaiting-user" }],
    });
  });

  test("is held until there is a plan", () => {
    const { verdict } = settle(staged(intentSettled, shapeDrawn), stopFacts());

    expect(verdict).toMatchObject({ type: "hold", reason: { plan: { lacksPlan: true, ready: [] } } });
  });
});

describe("what a session is told of its tasks", () => {
  test("names those that failed until somebody advised on them, while models are asked", () => {
    const events = [plan, branchBegun, started("T-1"), failed("T-1")] as const;
    const advised = counselGiven("T-1", 1);

    expect(planHold(loopWith(tasks, stagesBegun, ...events), null).stuck).toEqual(["T-1"]);
    expect(planHold(loopWith(tasks, stagesBegun, ...events, advised), null).stuck).toEqual([]);
    const silent = { ...stagesBegun, policy: { ...stagesBegun.policy, asks: false } };
    expect(planHold(loopWith(tasks, silent, ...events), null).stuck).toEqual([]);
  });

  test("names the last merged wave until somebody looked at it", () => {
    const events: readonly LoopEvent[] = [
      plan,
      branchBegun,
      { type: "wave.begun", wave: 1 },
      ...done("T-1", 1),
      ...done("T-2", 2),
    ];
    const merged = loopWith(tasks, stagesBegun, ...events, { type: "wave.ended", wave: 1 });

    expect(planHold(loopWith(tasks, stagesBegun, ...events), null).mergedWave).toBeNull();
    expect(planHold(merged, null).mergedWave).toBe(1);
    expect(planHold(evolveAll(merged, [waveReviewed(1)], 1), null).mergedWave).toBeNull();
    const last = evolveAll(merged, done("T-3", 3), 1);
    expect(planHold(last, null).mergedWave).toBe(1);
    expect(planHold(evolveAll(last, [workReviewed(1)], 1), null).mergedWave).toBeNull();
  });
});
