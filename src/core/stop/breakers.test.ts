import { describe, expect, test } from "vitest";
import {
  HOUR,
  MINUTE,
  START,
  checked,
  goal,
  loopOver,
  loopWith,
  ran,
  settle,
  stopFacts,
  task,
  unchecked,
} from "../../../test/support/loop-builders.ts";
import type { World } from "../../../test/support/loop-builders.ts";
import { DEFAULT_LIMITS } from "../loop/limits.ts";
import type { LoopEvent } from "../events/event.ts";
import { evolve } from "../events/evolve.ts";
import { topFrame, type Limits, type Loop } from "../loop/loop.ts";
import { SAID_NOTHING, type Claim, type FileEdit, type StopFacts } from "./facts.ts";
import { thrashingFile } from "./breakers.ts";

const claiming = (...claims: readonly Claim[]): Partial<StopFacts> => ({ said: { ...SAID_NOTHING, claims } });
const done = claiming({ type: "exit", source: "status-block" });

/** One stop of the agent, or something that happens between two of them. */
type Moment = { readonly facts?: Partial<StopFacts>; readonly world?: World } | LoopEvent;

/** What each stop comes to: `hold`, or the reason of its pause. */
function play(
  loop: Loop,
  moments: readonly Moment[],
): { readonly told: readonly string[]; readonly loop: Loop } {
  const told: string[] = [];
  let current = loop;
  for (const moment of moments) {
    if ("type" in moment) {
      current = evolve(current, moment, START);
      continue;
    }
    const settled = settle(current, stopFacts(moment.facts), moment.world);
    const { verdict } = settled;
    told.push(
      verdict.because === "paused" ? verdict.reason : verdict.type === "hold" ? "hold" : verdict.because,
    );
    current = settled.loop;
  }
  return { told, loop: current };
}

function times<Value>(count: number, value: Value): readonly Value[] {
  return Array.from({ length: count }, () => value);
}

function limited(part: Partial<Limits>): { readonly limits: Limits } {
  const off = { stuck: 0, sameError: 0, sameFile: 0, noProgress: 0 };
  return { limits: { ...DEFAULT_LIMITS, ...off, ...part } };
}

const unlimited = { iterationLimit: null } as const;
const continued: LoopEvent = {
  type: "loop.continued",
  addedUsd: null,
  addedIterations: null,
  addedTokens: null,
  addedMinutes: null,
  by: "person",
};
const charged = (usd: number, tokens = 0): LoopEvent => ({ type: "cost.charged", usd, tokens, priced: true });

function held(count: number, ...events: readonly LoopEvent[]): Loop {
  const holds = Array.from({ length: count }, (_, index): LoopEvent => ({
    type: "iteration.held",
    iteration: index + 1,
    sentFailure: null,
  }));
  return loopWith({}, ...holds, ...events);
}

const failing = (outputTail: string): Moment => ({
  facts: done,
  world: { checks: { tests: { passed: false, outputTail } } },
});

const on = (world: World): Moment => ({ facts: { toolUses: 0 }, world });

const edit = (contentDigest: string, failure: string | null): FileEdit => ({
  path: "a.ts",
  contentDigest,
  failure,
});

describe("limits", () => {
  test.each<readonly [title: string, loop: Loop, facts: Partial<StopFacts>, told: string]>([
    ["cost below the budget holds", loopWith({}, charged(24.99)), {}, "hold"],
    ["cost at the budget pauses", loopWith({}, charged(10), charged(15)), {}, "budget"],
    ["no budget never pauses", loopWith(limited({ budgetUsd: null }), charged(9_999)), {}, "hold"],
    [
      "an unpriced cost counts as well",
      loopWith({}, { type: "cost.charged", usd: 30, tokens: 0, priced: false }),
      {},
      "budget",
    ],
    ["tokens below their limit hold", loopWith(limited({ tokens: 100 }), charged(0, 99)), {}, "hold"],
    ["tokens at their limit pause", loopWith(limited({ tokens: 100 }), charged(0, 100)), {}, "budget"],
    [
      "minutes below their limit hold",
      loopWith(limited({ minutes: 30 })),
      { now: START + 29 * MINUTE },
      "hold",
    ],
    [
      "minutes at their limit pause",
      loopWith(limited({ minutes: 30 })),
      { now: START + 30 * MINUTE },
      "budget",
    ],
    ["the last allowed iteration holds", held(9), {}, "hold"],
    ["an iteration more than allowed pauses", held(10), {}, "iterations"],
    ["the budget is told before the iterations", held(10, charged(25)), {}, "budget"],
  ])("%s", (_, loop, facts, told) => {
    expect(play(loop, [{ facts }]).told).toEqual([told]);
  });

  test("no progress pauses before a host overrides the holds, even where that breaker is off", () => {
    const facts = { holdCap: 8, toolUses: 0 };
    const loop = loopWith({
      goal: unlimited,
      limits: { ...DEFAULT_LIMITS, noProgress: 0, stuck: 0, sameError: 0 },
    });
    expect(play(loop, times(8, { facts })).told).toEqual([...Array<string>(7).fill("hold"), "no-progress"]);
    expect(play(loop, times(12, { facts: { ...facts, holdCap: null } })).told).toEqual(
      Array(12).fill("hold"),
    );
  });

  test("the time of a pause does not count toward the minutes", () => {
    const loop = loopOver(
      limited({ minutes: 30 }),
      [10 * MINUTE, { type: "loop.paused", reason: "user", detail: null, by: "person" }],
      [5 * HOUR, continued],
    );

    expect(play(loop, [{ facts: { now: START + 5 * HOUR + 19 * MINUTE } }]).told).toEqual(["hold"]);
    expect(play(loop, [{ facts: { now: START + 5 * HOUR + 20 * MINUTE } }]).told).toEqual(["budget"]);
  });

  test("more iterations let a paused loop go on by just as many", () => {
    const loop = loopWith({ goal: { iterationLimit: 1 } });
    const more: LoopEvent = { ...continued, addedIterations: 2 };

    expect(play(loop, [...times(2, {}), more, ...times(3, {})]).told).toEqual([
      "hold",
      "iterations",
      "hold",
      "hold",
      "iterations",
    ]);
  });

  test("more dollars let a paused loop go on until they are spent", () => {
    const more: LoopEvent = { ...continued, addedUsd: 25 };

    expect(play(loopWith({}, charged(25)), [{}, more, {}, charged(25), {}]).told).toEqual([
      "budget",
      "hold",
      "budget",
    ]);
  });
});

describe("the same first unmet criterion", () => {
  const start = {
    ...limited({ stuck: 5 }),
    goal: { ...unlimited, criteria: [unchecked("a"), unchecked("b")] },
  };

  test("pauses at the fifth repetition", () => {
    expect(play(loopWith(start), times(6, {})).told).toEqual([...times(5, "hold"), "stuck"]);
  });

  test("never pauses when the breaker is off", () => {
    const off = { ...start, ...limited({ stuck: 0 }) };

    expect(new Set(play(loopWith(off), times(30, {})).told)).toEqual(new Set(["hold"]));
  });

  test("starts over with another one", () => {
    const metA: Moment = {
      type: "criterion.attested",
      name: "a",
      by: "observation",
      actor: "agent",
      note: null,
      source: "command",
    };
    const unmetA: Moment = { type: "criterion.disclaimed", name: "a", source: "command" };
    const { loop } = play(loopWith(start), [...times(5, {}), metA, {}]);

    expect(topFrame(loop).breakers.stuck).toEqual({ lastUnmet: "b", count: 0 });
    expect(topFrame(play(loop, [unmetA, {}]).loop).breakers.stuck).toEqual({ lastUnmet: "a", count: 0 });
  });

  test.each<readonly [string, LoopEvent, string]>([
    [
      "a newly met criterion",
      {
        type: "criterion.attested",
        name: "b",
        by: "observation",
        actor: "agent",
        note: null,
        source: "command",
      },
      "hold",
    ],
    ["a done step", { type: "step.finished", name: "parse", source: "command" }, "hold"],
    ["a done task", task("1", "completed"), "hold"],
    [
      "an assumption, which meets nothing",
      {
        type: "criterion.attested",
        name: "b",
        by: "assumption",
        actor: "agent",
        note: null,
        source: "command",
      },
      "stuck",
    ],
    ["a new task", task("1", "pending"), "stuck"],
    ["a new step", { type: "step.added", name: "another" }, "stuck"],
  ])("%s between two stops: the sixth one comes to the right end", (_, event, told) => {
    const loop = loopWith({ ...start, goal: { ...start.goal, steps: ["parse"] } });

    expect(play(loop, [...times(5, {}), event, {}]).told.at(-1)).toBe(told);
  });

  test("is reset by a step that the stop itself reports", () => {
    const loop = loopWith({ ...start, goal: { ...start.goal, steps: ["parse"] } });
    const facts = claiming({ type: "step-done", name: "parse", source: "status-block" });

    expect(play(loop, [...times(5, {}), { facts }]).told.at(-1)).toBe("hold");
  });

  test("is not reset by a criterion that is met for the second time", () => {
    const met: LoopEvent = {
      type: "criterion.attested",
      name: "b",
      by: "observation",
      actor: "agent",
      note: null,
      source: "command",
    };
    const unmet: LoopEvent = { type: "criterion.disclaimed", name: "b", source: "command" };

    expect(play(loopWith(start, met, unmet), [...times(5, {}), met, {}]).told.at(-1)).toBe("stuck");
  });

  test("counts for pending tasks as well", () => {
    const loop = loopWith({ ...start, goal: { ...unlimited, exitRule: "tasks" } }, task("1", "pending"));

    expect(play(loop, times(6, {})).told.at(-1)).toBe("stuck");
  });

  test("counts for a failing check when no task is left", () => {
    const loop = loopWith(
      { ...start, goal: { ...unlimited, exitRule: "tasks", criteria: [checked("tests")] } },
      task("1", "completed"),
    );
    const moment = { world: { checks: { tests: { passed: false } } } };

    expect(play(loop, times(6, moment)).told.at(-1)).toBe("stuck");
  });
});

describe("the same error", () => {
  const start = {
    ...limited({ sameError: 3 }),
    goal: { ...unlimited, criteria: [checked("tests"), checked("lint")] },
  };
  const broken = failing("Error: x is undefined\n  at src/x.ts:3");

  test("pauses the third time", () => {
    expect(play(loopWith(start), times(3, broken)).told).toEqual(["hold", "hold", "same-error"]);
  });

  test("is told in words, without what tells two failures apart", () => {
    const { loop } = play(loopWith(start), times(3, failing("Error: one\nError: two\n")));
    expect(loop).toMatchObject({
      detail: "the same error 3 times in a row: tests: Error: one and 1 more",
    });
  });

  test.each([
    ["prints nothing", { outputTail: "", exitCode: 1, ending: "failed with exit code 1" }],
    ["is cut off", { outputTail: "12 of 40\n", exitCode: null, ending: "did not finish within 5 s" }],
  ])("of a check that %s is how the check ended", (_, evidence) => {
    const moment = { facts: done, world: { checks: { tests: { passed: false, ...evidence } } } };
    const { loop } = play(loopWith(start), times(3, moment));
    expect(loop).toMatchObject({ detail: `the same error 3 times in a row: tests: ${evidence.ending}` });
  });

  test("is the same in spite of times and temporary names", () => {
    const moments = [1, 2, 3].map((run) => failing(`Error: ENOENT /tmp/run-${run}/out after ${run}00 ms`));

    expect(play(loopWith(start), moments).told.at(-1)).toBe("same-error");
  });

  test("never pauses when the breaker is off", () => {
    const off = { ...start, ...limited({ sameError: 0 }) };

    expect(new Set(play(loopWith(off), times(9, broken)).told)).toEqual(new Set(["hold"]));
  });

  test("starts over with another error", () => {
    expect(play(loopWith(start), [broken, broken, failing("Error: y"), broken, broken]).told).toEqual(
      times(5, "hold"),
    );
  });

  test("is not forgotten over a stop at which no check ran", () => {
    expect(play(loopWith(start), [broken, {}, broken, {}, broken]).told.at(-1)).toBe("same-error");
  });

  test("is reset by a done step", () => {
    const step: LoopEvent = { type: "step.finished", name: "parse", source: "command" };
    const loop = loopWith({ ...start, goal: { ...start.goal, steps: ["parse"] } });

    expect(play(loop, [broken, broken, step, broken, broken, broken]).told).toEqual([
      ...times(4, "hold"),
      "same-error",
    ]);
  });

  test("is reset by another criterion that the same stop newly meets", () => {
    const both: Moment = {
      facts: done,
      world: { checks: { tests: { passed: false, outputTail: "Error: x" }, lint: { passed: false } } },
    };
    const lintPasses = failing("Error: x");

    expect(play(loopWith(start), [both, both, lintPasses, lintPasses]).told).toEqual(times(4, "hold"));
  });

  test("is no name for evidence that passes and does not count", () => {
    const loop = loopWith({ ...start, protects: ["test/**"], protectedDigest: "locked" });
    const moment: Moment = { facts: done, world: { checks: { tests: { protectedDigest: "altered" } } } };

    expect(new Set(play(loop, times(5, moment)).told)).toEqual(new Set(["hold"]));
  });
});

describe("iterations without progress", () => {
  const start = {
    ...limited({ noProgress: 3 }),
    goal: { ...unlimited, criteria: [checked("tests")], steps: ["parse"] },
  };
  const idle: Moment = { facts: { toolUses: 0 } };

  test("pause the third time", () => {
    expect(play(loopWith(start), times(3, idle)).told).toEqual(["hold", "hold", "no-progress"]);
  });

  test("pause the third time where the host does not tell of tools", () => {
    expect(play(loopWith(start), times(3, { facts: { toolUses: null } })).told.at(-1)).toBe("no-progress");
  });

  test("never pause when the breaker is off", () => {
    const off = { ...start, ...limited({ noProgress: 0 }) };

    expect(new Set(play(loopWith(off), times(9, idle)).told)).toEqual(new Set(["hold"]));
  });

  test.each<readonly [string, readonly Moment[]]>([
    ["another tree", [on({ tree: "tree-1" }), on({ tree: "tree-1" }), on({ tree: "tree-1" })]],
    ["a commit", [on({ head: "head-1" }), on({ head: "head-1" }), on({ head: "head-1" })]],
    ["a use of tools", [{ facts: { toolUses: 1 } }, idle, idle]],
    ["a done step", [{ type: "step.finished", name: "parse", source: "command" }, idle, idle, idle]],
    ["a met criterion", [ran("tests"), idle, idle, idle]],
    ["a task that began", [task("1", "in_progress"), idle, idle, idle]],
    ["a done task", [task("1", "completed"), idle, idle, idle]],
  ])("start over with %s", (_, moments) => {
    expect(play(loopWith(start), [idle, idle, ...moments]).told).not.toContain("no-progress");
  });

  test.each<readonly [string, Loop, readonly Moment[]]>([
    ["after tools changed the tree", loopWith(start), [{ facts: { toolUses: 9 } }]],
    ["after the loop was continued", loopWith(start), [idle, idle, continued]],
    ["in a new frame", loopWith(start), [{ type: "frame.pushed", goal: goal(unlimited), by: "agent" }]],
    ["where the start is not known", loopWith({ ...start, start: { tree: null, head: null } }), []],
  ])("pause the third time %s", (_, loop, before) => {
    const moved = on({ tree: "tree-1", head: "head-1" });

    expect(play(loop, [...before, ...times(3, moved)]).told.slice(-3)).toEqual([
      "hold",
      "hold",
      "no-progress",
    ]);
  });

  test("pause the third time on a tree that cannot be read, when no tool was used", () => {
    expect(play(loopWith(start), times(3, on({ tree: null, head: null }))).told.at(-1)).toBe("no-progress");
  });

  test("start over with a step that is done on a tree that cannot be read", () => {
    const blind = on({ tree: null, head: null });
    const step: LoopEvent = { type: "step.finished", name: "parse", source: "command" };

    expect(play(loopWith(start), [blind, blind, step, blind]).told.at(-1)).toBe("hold");
  });

  test("are not counted on a tree that cannot be read and tools that nobody counts", () => {
    const blind: Moment = { facts: { toolUses: null }, world: { tree: null } };

    expect(new Set(play(loopWith(start), times(9, blind)).told)).toEqual(new Set(["hold"]));
  });
});

describe("one file edited again and again", () => {
  const vain = ["1", "2", "3", "4", "5", "6"].map((content) => edit(content, "Error: x"));
  const loop = loopWith({ ...limited({ sameFile: 5 }), goal: unlimited });

  test("to the same failure pauses as thrashing", () => {
    expect(play(loop, [{ facts: { edits: vain } }]).told).toEqual(["thrashing"]);
  });

  test("to the same failure holds when the breaker is off", () => {
    const off = loopWith({ ...limited({ sameFile: 0 }), goal: unlimited });

    expect(play(off, [{ facts: { edits: vain } }]).told).toEqual(["hold"]);
  });

  test("counts within one iteration only", () => {
    expect(play(loop, times(4, { facts: { edits: vain.slice(0, 4) } })).told).toEqual(times(4, "hold"));
  });

  test("is no thrashing when each edit gets further", () => {
    const edits = vain.map(({ contentDigest }, index) => edit(contentDigest, `Error: ${index}`));

    expect(play(loop, [{ facts: { edits } }]).told).toEqual(["hold"]);
  });
});

describe("continuing", () => {
  test("closes the breakers of the frame at work", () => {
    const start = { ...limited({ stuck: 2 }), goal: { ...unlimited, criteria: [unchecked("a")] } };

    expect(play(loopWith(start), [...times(3, {}), continued, ...times(3, {})]).told).toEqual([
      "hold",
      "hold",
      "stuck",
      "hold",
      "hold",
      "stuck",
    ]);
  });

  test("closes the breakers of the outer frames too", () => {
    const start = { ...limited({ stuck: 2 }), goal: { ...unlimited, criteria: [unchecked("a")] } };
    const pushed: LoopEvent = {
      type: "frame.pushed",
      goal: goal({ ...unlimited, criteria: [unchecked("b")] }),
      by: "agent",
    };
    const popped: LoopEvent = { type: "frame.popped", outcome: "satisfied" };

    expect(play(loopWith(start), [{}, {}, pushed, {}, {}, {}, continued, popped, {}]).told).toEqual([
      "hold",
      "hold",
      "hold",
      "hold",
      "stuck",
      "hold",
    ]);
  });
});

const edited = (path: string, contentDigest: string, failure: string | null = null): FileEdit => ({
  path,
  contentDigest,
  failure,
});

const MANY = ["1", "2", "3", "4", "5", "6", "7", "8"];

test.each<readonly [title: string, edits: readonly FileEdit[], file: string | null]>([
  ["no edits", [], null],
  ["two edits in vain", [edited("a", "1", "E"), edited("a", "2", "E"), edited("a", "3", "E")], "a"],
  ["one edit in vain", [edited("a", "1", "E"), edited("a", "2", "E")], null],
  [
    "back and forth between two contents",
    [edited("a", "1"), edited("a", "2"), edited("a", "1"), edited("a", "2")],
    "a",
  ],
  ["the same content written again", [edited("a", "1"), edited("a", "1"), edited("a", "1")], "a"],
  ["many edits, each to another failure", MANY.map((each) => edited("a", each, `E${each}`)), null],
  ["many edits after which nothing was tried", MANY.map((each) => edited("a", each)), null],
  [
    "one edit in vain in each of two files",
    [edited("a", "1", "E"), edited("b", "1", "E"), edited("a", "2", "E"), edited("b", "2", "E")],
    null,
  ],
  [
    "two edits in vain among those of another file",
    [
      edited("a", "1", "E"),
      edited("b", "1", "F"),
      edited("a", "2", "E"),
      edited("b", "2", "G"),
      edited("a", "3", "E"),
    ],
    "a",
  ],
  [
    "a failure that goes away in between",
    [edited("a", "1", "E"), edited("a", "2", null), edited("a", "3", "E")],
    null,
  ],
])("at a limit of two: %s", (_, edits, file) => {
  expect(thrashingFile(edits, 2)).toBe(file);
});
