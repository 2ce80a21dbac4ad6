import { describe, expect, test } from "vitest";
import {
  HOUR,
  MINUTE,
  SESSION,
  START,
  checked,
  evidenceFor,
  goal,
  launched,
  loopOver,
  loopWith,
  opening,
  proofShown,
  ran,
  sessionId,
  task,
  unchecked,
} from "../../../test/support/loop-builders.ts";
import {
  asked,
  closed,
  counselGiven,
  finding,
  gateJudged,
  intentSettled,
  recalled,
  resolved,
  shapeDrawn,
  stagesBegun,
  waveReviewed,
  workReviewed,
} from "../../../test/support/stage-builders.ts";
import {
  adopted,
  branchBegun,
  commit,
  done,
  failed,
  finished,
  mergeBegun,
  merged,
  planned,
  setback,
  started,
} from "../../../test/support/workflow-builders.ts";
import { EVENT_VERSION, ImpossibleEvent, type EventOf, type LoopEvent } from "./event.ts";
import { evolve, evolveAll } from "./evolve.ts";
import type { Loop } from "../loop/loop.ts";
import {
  CLOSED_BREAKERS,
  begunIteration,
  costMark,
  elapsedMs,
  isDriven,
  nextIteration,
  topFrame,
} from "../loop/loop.ts";
import { standardOf, statusOf } from "../loop/criterion.ts";
import { usedUp } from "../loop/limits.ts";

type Trace = readonly (readonly [after: number, event: LoopEvent])[];

const held = (iteration: number): LoopEvent => ({ type: "iteration.held", iteration, sentFailure: null });
const counted: LoopEvent = {
  type: "breakers.counted",
  breakers: { ...CLOSED_BREAKERS, stuck: { lastUnmet: "tests", count: 4 } },
};
const paused: EventOf<"loop.paused"> = { type: "loop.paused", reason: "user", detail: null, by: "person" };
const continued: EventOf<"loop.continued"> = {
  type: "loop.continued",
  addedUsd: null,
  addedIterations: null,
  addedTokens: null,
  addedMinutes: null,
  by: "person",
};
const bound: LoopEvent = { type: "session.bound", binding: { session: SESSION, host: "claude-code" } };
const completed: LoopEvent = { type: "loop.completed", confidence: "verified", why: [], changed: null };
const cancelled: LoopEvent = { type: "loop.cancelled", by: "person" };
const pushed: LoopEvent = { type: "frame.pushed", goal: goal({ exitRule: "signal" }), by: "agent" };
const popped: LoopEvent = { type: "frame.popped", outcome: "satisfied" };
const withTests = { goal: { criteria: [checked("tests")], steps: ["parse"] } };

const RUN = sessionId("run-1");
const began: EventOf<"run.began"> = {
  type: "run.began",
  run: RUN,
  driver: "codex",
  model: null,
  process: { pid: 4711, startedAt: "1", boot: "b" },
};
const turnEnded = (
  turn: string,
  outcome: EventOf<"turn.ended">["outcome"] = "finished",
): EventOf<"turn.ended"> => ({
  type: "turn.ended",
  turn,
  outcome,
  said: `turn ${turn}`,
  reportedUsd: null,
  reportedTokens: null,
});
const runEnded: LoopEvent = { type: "run.ended", run: RUN };

const traces: { readonly [title: string]: Trace } = {
  "a loop whose check fails twice and then passes": [
    [0, opening({ ...withTests, redFirst: true })],
    [
      1,
      { type: "check.ran", name: "tests", evidence: evidenceFor("tests", { passed: false }), atStart: true },
    ],
    [MINUTE, { type: "turn.started" }],
    [2 * MINUTE, { type: "exit.signalled", source: "command" }],
    [2 * MINUTE, ran("tests", { passed: false })],
    [2 * MINUTE, counted],
    [2 * MINUTE, held(1)],
    [3 * MINUTE, { type: "cost.charged", usd: 1.5, tokens: 12_000, priced: true }],
    [4 * MINUTE, { type: "step.finished", name: "parse", source: "status-block" }],
    [5 * MINUTE, counted],
    [5 * MINUTE, held(2)],
    [9 * MINUTE, { type: "exit.signalled", source: "marker" }],
    [9 * MINUTE, ran("tests", { treeDigest: "tree-1" })],
    [9 * MINUTE, completed],
    [10 * MINUTE, { type: "loosening.refused", what: "loop cancel" }],
  ],
  "a nested loop whose inner frame gives up": [
    [0, opening({ goal: { criteria: [checked("tests")] } })],
    [MINUTE, pushed],
    [MINUTE, { type: "iteration.adopted", iteration: 0 }],
    [MINUTE, { type: "transcript.read", cursor: "{}" }],
    [2 * MINUTE, counted],
    [2 * MINUTE, held(1)],
    [HOUR, { type: "frame.popped", outcome: "stuck" }],
    [HOUR, held(1)],
    [2 * HOUR, pushed],
    [2 * HOUR, pushed],
    [3 * HOUR, popped],
    [3 * HOUR, held(1)],
    [4 * HOUR, popped],
    [4 * HOUR, held(2)],
    [5 * HOUR, completed],
  ],
  "a loop that pauses, is given more, moves to another session and is cancelled": [
    [0, opening({ binding: null })],
    [MINUTE, bound],
    [2 * MINUTE, held(1)],
    [3 * MINUTE, { type: "cost.charged", usd: 26, tokens: 0, priced: false }],
    [4 * MINUTE, { ...paused, reason: "budget", by: "machine" }],
    [5 * HOUR, { ...continued, addedUsd: 25, addedIterations: 5 }],
    [5 * HOUR, { type: "session.bound", binding: { session: sessionId("session-2"), host: "codex" } }],
    [6 * HOUR, { type: "wait.began", what: "awaiting-user" }],
    [9 * HOUR, { type: "turn.started" }],
    [9 * HOUR, held(2)],
    [9 * HOUR, { type: "words.told", text: "the port is 8080", task: null }],
    [9 * HOUR, { type: "words.heard", count: 1, turn: null }],
    [10 * HOUR, paused],
    [11 * HOUR, { type: "step.added", name: "late" }],
    [12 * HOUR, cancelled],
    [13 * HOUR, { type: "loosening.refused", what: "loop continue" }],
  ],
  "a colleague whose plan a person amends": [
    [0, opening({ shape: "colleague", goal: { criteria: [unchecked("docs")], steps: ["draft"] } })],
    [MINUTE, { type: "criterion.added", name: "tests", check: checked("tests").check, by: "agent" }],
    [2 * MINUTE, ran("tests")],
    [3 * MINUTE, { type: "criterion.amended", name: "tests", check: checked("all").check, by: "person" }],
    [
      4 * MINUTE,
      {
        type: "criterion.attested",
        name: "docs",
        by: "observation",
        actor: "agent",
        note: "read it",
        source: "command",
      },
    ],
    [5 * MINUTE, { type: "criterion.disclaimed", name: "docs", source: "status-block" }],
    [6 * MINUTE, { type: "step.finished", name: "draft", source: "command" }],
    [7 * MINUTE, { type: "step.reopened", name: "draft" }],
    [8 * MINUTE, { type: "step.removed", name: "draft" }],
    [9 * MINUTE, { type: "iteration.handed-back", iteration: 1 }],
    [9 * MINUTE, { type: "shape.changed", shape: "tool", by: "person" }],
    [20 * HOUR, { type: "turn.started" }],
    [20 * HOUR, { type: "criterion.removed", name: "docs", by: "person" }],
    [20 * HOUR, { type: "exit.signalled", source: "state-file" }],
    [20 * HOUR, { type: "exit.withdrawn", source: "command" }],
    [21 * HOUR, { type: "iteration.handed-back", iteration: 2 }],
  ],
  "a list of tasks behind protected files": [
    [0, opening({ goal: { exitRule: "tasks" }, protects: ["test/**"], protectedDigest: "locked" })],
    [1, task("1", "pending")],
    [2, task("2", "pending")],
    [MINUTE, task("1", "in_progress")],
    [2 * MINUTE, task("1", "completed")],
    [3 * MINUTE, { type: "protection.approved", digest: "approved" }],
    [4 * MINUTE, { type: "task.dropped", id: "2" }],
    [5 * MINUTE, completed],
  ],
  "a check whose tests were changed and approved": [
    [0, opening({ goal: { criteria: [checked("tests")] } })],
    [MINUTE, ran("tests")],
    [MINUTE, proofShown("tests", { kind: "judge", result: "fails", files: ["test/cart.test.js"] })],
    [MINUTE, proofShown(null, { kind: "holdout", result: "stands", detail: "totals" })],
    [MINUTE, held(1)],
    [HOUR, { type: "opening.approved", names: ["test/cart.test.js"] }],
    [HOUR, ran("tests")],
    [HOUR, proofShown("tests", { kind: "repeat", result: "stands" })],
    [HOUR, completed],
  ],
};

const drivenTraces: { readonly [title: string]: Trace } = {
  "a run that is cut off, limited, cancelled and charged all the same": [
    [0, opening({ binding: null, goal: { criteria: [checked("tests")] } })],
    [1, began],
    [2, launched("1-1", 1)],
    [3, { type: "conversation.opened", conversation: sessionId("thread-1") }],
    [MINUTE, { type: "cost.charged", usd: 0.1, tokens: 10, priced: true }],
    [MINUTE, turnEnded("1-1", "interrupted")],
    [MINUTE, launched("1-2", 1)],
    [2 * MINUTE, turnEnded("1-2", "usage-limit")],
    [2 * MINUTE, { type: "usage-limit.met", until: START + HOUR, detail: "try again at 10" }],
    [2 * MINUTE, { type: "permission.denied", denials: ["--allow WebFetch"] }],
    [HOUR, launched("1-3", 1)],
    [2 * HOUR, turnEnded("1-3")],
    [2 * HOUR, ran("tests", { passed: false })],
    [2 * HOUR, { type: "next.said", text: "Fix the parser" }],
    [2 * HOUR, held(2)],
    [2 * HOUR, launched("2-1", 2)],
    [3 * HOUR, cancelled],
    [3 * HOUR, { type: "cost.charged", usd: 0.2, tokens: 20, priced: true }],
    [3 * HOUR, turnEnded("2-1", "interrupted")],
    [3 * HOUR, runEnded],
    [4 * HOUR, { type: "checkpoint.restored", iteration: 2, commit: "a".repeat(40) }],
  ],
  "a run whose work is committed, and undone": [
    [0, opening({ binding: null, goal: { criteria: [checked("tests")] } })],
    [
      0,
      {
        type: "commit.wanted",
        from: "a".repeat(40),
        onto: "main",
        branch: "loop/fix-a1b2",
        acceptsWeak: false,
      },
    ],
    [1, began],
    [2, launched("1-1", 1)],
    [MINUTE, turnEnded("1-1")],
    [MINUTE, ran("tests")],
    [MINUTE, completed],
    [MINUTE, runEnded],
    [2 * MINUTE, { type: "work.committed", commit: "b".repeat(40), before: "a".repeat(40), why: null }],
    [HOUR, { type: "checkpoint.restored", iteration: 1, commit: "c".repeat(40) }],
    [HOUR, { type: "commit.undone" }],
  ],
  "a loop from elsewhere that a person trusts": [
    [0, opening(withTests)],
    [HOUR, ran("tests")],
    [2 * HOUR, { type: "loop.trusted" }],
    [3 * HOUR, cancelled],
  ],
};
Object.assign(traces, drivenTraces);

const planTraces: { readonly [title: string]: Trace } = {
  "a plan with a failure, a conflict, a usage limit and a task that is given up": [
    [0, opening({ binding: null, goal: { exitRule: "tasks" } })],
    [1, adopted([planned("T-1"), planned("T-2"), planned("T-3", ["T-1"])], { attemptLimit: 2 })],
    [2, began],
    [3, branchBegun],
    [4, { type: "wave.begun", wave: 1 }],
    [5, started("T-1")],
    [6, started("T-2", 1, { slot: 2 })],
    [6, { type: "attempt.placed", task: "T-2", number: 1, worker: "w1" }],
    [MINUTE, { type: "agent.limited", agent: "codex", until: START + HOUR }],
    [
      MINUTE,
      { type: "attempt.fell-short", task: "T-2", number: 1, iteration: 1, detail: "its check failed" },
    ],
    [HOUR, failed("T-2")],
    [HOUR, { type: "cost.charged", usd: 0.4, tokens: 40, priced: true }],
    [HOUR, started("T-2", 2, { slot: 2, agent: "claude" })],
    [2 * HOUR, finished("T-1")],
    [2 * HOUR, finished("T-2", 2)],
    [2 * HOUR, mergeBegun(1, "T-1", "T-2")],
    [2 * HOUR, { type: "check.wavered", check: "T-1" }],
    [
      3 * HOUR,
      {
        ...merged(1, "T-1"),
        setBack: [{ task: "T-2", setback: setback({ kind: "conflict", carry: commit("c") }) }],
      },
    ],
    [3 * HOUR, { type: "task.given-up", task: "T-2", why: "the tests fail" }],
    [3 * HOUR, { type: "wave.ended", wave: 1 }],
    [3 * HOUR, { type: "wave.begun", wave: 2 }],
    [4 * HOUR, { ...paused, reason: "iterations" }],
    [5 * HOUR, { ...continued, addedIterations: 1 }],
    ...done("T-3", 2).map((event) => [6 * HOUR, event] as const),
    ...[started("T-2", 3), finished("T-2", 3), mergeBegun(3, "T-2"), merged(3, "T-2")].map(
      (event) => [7 * HOUR, event] as const,
    ),
    [7 * HOUR, { type: "merge.undone", to: commit("d"), tasks: ["T-2"], suspects: ["T-1"] }],
    ...[mergeBegun(4, "T-2"), merged(4, "T-2")].map((event) => [7 * HOUR, event] as const),
    [7 * HOUR, { type: "work.checked", commit: commit("e") }],
    [7 * HOUR, { type: "delivery.begun", from: commit("0") }],
    [7 * HOUR, { type: "work.delivered", delivery: { how: "left", why: "HEAD is elsewhere" } }],
    [7 * HOUR, completed],
  ],
  "a workflow through all of its stages": [
    [0, opening({ binding: null, goal: { exitRule: "tasks" } })],
    [0, stagesBegun],
    [1, recalled],
    [1, { type: "learnings.judged", confirmed: ["nobody's"], dismissed: [], familiarity: 1 }],
    [2, asked("q-1")],
    [3, closed("q-1")],
    [3, intentSettled],
    [4, shapeDrawn],
    [5, adopted([planned("T-1")])],
    [6, branchBegun],
    [7, started("T-1")],
    [8, failed("T-1")],
    [9, counselGiven("T-1", 1)],
    [10, started("T-1", 2)],
    [11, finished("T-1", 2)],
    [12, mergeBegun(1, "T-1")],
    [13, merged(1, "T-1")],
    [14, waveReviewed(1)],
    [15, workReviewed(1, { findings: [finding("F-1")] })],
    [16, { type: "plan.extended", tasks: [planned("R-1")], why: "review 1" }],
    [16, resolved(1, "F-1", { how: "task", task: "R-1", by: "machine" })],
    ...done("R-1", 2).map((event) => [17, event] as const),
    [18, workReviewed(2)],
    [19, gateJudged(1)],
    [20, completed],
  ],
  "a plan that a person changes": [
    [0, opening({ binding: null, goal: { exitRule: "tasks" } })],
    [1, adopted([planned("T-1"), planned("T-2"), planned("T-3", ["T-2"])])],
    [2, branchBegun],
    [3, { type: "task.edited", task: { ...planned("T-2"), subject: "Do it otherwise" } }],
    [4, { type: "task.skipped", task: "T-3", why: "not needed", by: "person" }],
    [5, { type: "task.retried", task: "T-3" }],
    [6, { type: "task.skipped", task: "T-2", why: "not now", by: "person" }],
    [7, started("T-3")],
  ],
};
Object.assign(traces, planTraces);

function fold(trace: Trace): Loop | null {
  let loop: Loop | null = null;
  for (const [after, event] of trace) loop = evolve(loop, event, START + after);
  return loop;
}

function isFolded(loop: Loop, event: LoopEvent): boolean {
  try {
    return evolve(loop, event, START + 1).phase === loop.phase;
  } catch (error) {
    if (error instanceof ImpossibleEvent) return false;
    throw error;
  }
}

describe("a journal that ends anywhere", () => {
  const prefixes = Object.entries(traces).flatMap(([title, trace]) =>
    trace.map((_, index) => [title, index + 1, trace.slice(0, index + 1)] as const),
  );

  test.each(prefixes)("%s folds up to event %i", (_title, _count, prefix) => {
    const loop = fold(prefix);

    expect(loop?.openedAt).toBe(START);
    expect(loop?.frames.length).toBeGreaterThan(0);
    // A snapshot is taken at any event, and has to read back as it was.
    expect(JSON.parse(JSON.stringify(loop))).toEqual(loop);
  });

  test("every kind of event is part of a trace", () => {
    const told = new Set(Object.values(traces).flatMap((trace) => trace.map(([, event]) => event.type)));

    expect([...told].sort()).toEqual(Object.keys(EVENT_VERSION).sort());
  });

  test("folds the same in one go as one by one", () => {
    const events = Object.values(traces)[0]?.map(([, event]) => event) ?? [];
    let loop: Loop | null = null;
    for (const event of events) loop = evolve(loop, event, START);

    expect(evolveAll(null, events, START)).toEqual(loop);
  });
});

describe("an event that its state cannot have produced", () => {
  const active = loopWith(withTests);
  const impossible: readonly (readonly [title: string, loop: Loop | null, event: LoopEvent])[] = [
    ["anything before the opening", null, held(1)],
    ["a second opening", active, opening()],
    [
      "an opening with two criteria of one name",
      null,
      opening({ goal: { criteria: [checked("a"), unchecked("a")] } }),
    ],
    [
      "a frame with two criteria of one name",
      active,
      { ...pushed, goal: goal({ criteria: [checked("a"), checked("a")] }) },
    ],
    ["a pop of the last frame", active, popped],
    ["a completion with an inner frame still open", loopWith({}, pushed), completed],
    ["a completion while paused", loopWith({}, paused), completed],
    ["a hold while paused", loopWith({}, paused), held(1)],
    ["a hand-back while paused", loopWith({}, paused), { type: "iteration.handed-back", iteration: 1 }],
    ["a pause while paused", loopWith({}, paused), paused],
    ["a hold that skips an iteration", active, held(2)],
    ["a hold that repeats an iteration", loopWith({}, held(1)), held(1)],
    ["a hold of iteration 0", active, held(0)],
    ["a hand-back that skips an iteration", active, { type: "iteration.handed-back", iteration: 2 }],
    ["a hold that counts on from the inner frame", loopWith({}, pushed, held(1), popped), held(2)],
    [
      "a second criterion of one name",
      active,
      { type: "criterion.added", name: "tests", check: null, by: "agent" },
    ],
    [
      "an amended criterion that is not there",
      active,
      { type: "criterion.amended", name: "x", check: null, by: "person" },
    ],
    ["a removed criterion that is not there", active, { type: "criterion.removed", name: "x", by: "person" }],
    [
      "a word for a criterion that is not there",
      active,
      {
        type: "criterion.attested",
        name: "x",
        by: "observation",
        actor: "agent",
        note: null,
        source: "command",
      },
    ],
    [
      "a word taken back from a criterion that is not there",
      active,
      { type: "criterion.disclaimed", name: "x", source: "command" },
    ],
    ["a check of a criterion that is not there", active, ran("x")],
    ["a check of the outer frame's criterion", loopWith(withTests, pushed), ran("tests")],
    ["a second step of one name", active, { type: "step.added", name: "parse" }],
    ["a finished step that is not there", active, { type: "step.finished", name: "x", source: "command" }],
    ["a reopened step that is not there", active, { type: "step.reopened", name: "x" }],
    ["a removed step that is not there", active, { type: "step.removed", name: "x" }],
    ["a turn of a loop that nobody drives", active, launched("1-1", 1)],
    ["a turn while paused", loopWith({}, began, paused), launched("1-1", 1)],
    ["a turn before the last one ended", loopWith({}, began, launched("1-1", 1)), launched("1-2", 1)],
    ["a turn that skips an iteration", loopWith({}, began), launched("2-1", 2)],
    ["the end of a turn that was not begun", loopWith({}, began), turnEnded("1-1")],
    ["the end of another turn", loopWith({}, began, launched("1-1", 1)), turnEnded("1-2")],
  ];

  test.each(impossible)("is refused: %s", (_, loop, event) => {
    expect(() => evolve(loop, event, START)).toThrow(ImpossibleEvent);
  });

  const ends = [
    ["completed", completed],
    ["cancelled", cancelled],
  ] as const;
  const anything = Object.values(traces).flatMap((trace) => trace.map(([, event]) => event));

  test.each(ends)("after a loop was %s: every event but what may come after its end", (phase, end) => {
    const ended = loopWith(withTests, began, launched("1-1", 1), end);
    const folded = anything.filter((event) => isFolded(ended, event)).map((event) => event.type);

    expect(ended.phase).toBe(phase);
    expect(new Set(folded)).toEqual(
      new Set(["loosening.refused", "checkpoint.restored", "cost.charged", "turn.ended", "run.ended"]),
    );
  });

  test("no events at all", () => {
    expect(() => evolveAll(null, [], START)).toThrow(ImpossibleEvent);
  });
});

describe("evolve", () => {
  test("starts a loop at iteration 0, active, with nothing spent", () => {
    const loop = loopWith(withTests);

    expect(loop).toMatchObject({ phase: "active", spend: { usd: 0, tokens: 0, priced: true } });
    expect(topFrame(loop)).toMatchObject({
      iteration: 0,
      exitSignal: false,
      steps: [{ name: "parse", done: false }],
    });
  });

  test("adds costs up, and one unknown price makes the sum unpriced", () => {
    const loop = loopWith(
      {},
      { type: "cost.charged", usd: 1, tokens: 10, priced: true },
      { type: "cost.charged", usd: 2, tokens: 5, priced: false },
      { type: "cost.charged", usd: 4, tokens: 0, priced: true },
    );

    expect(loop.spend).toEqual({ usd: 7, tokens: 15, priced: false, told: true });
  });

  test("keeps everything over a pause, but for the exit signal", () => {
    const before = loopWith(withTests, ran("tests"), held(1), counted, {
      type: "exit.signalled",
      source: "command",
    });
    const after = evolve(before, paused, START + MINUTE);

    expect(after).toMatchObject({
      phase: "paused",
      reason: "user",
      spend: before.spend,
      binding: before.binding,
    });
    expect(after.frames).toEqual([{ ...topFrame(before), exitSignal: false }]);
  });

  test("adds to the limits of a loop that is continued, and forgets why it paused", () => {
    const loop = loopWith(
      {},
      { ...paused, reason: "budget" },
      { ...continued, addedUsd: 5, addedIterations: 3 },
    );

    expect(loop.limits.budgetUsd).toBe(30);
    expect(topFrame(loop).iterationLimit).toBe(13);
    expect(loop).not.toHaveProperty("reason");
    expect(loop).not.toHaveProperty("detail");
  });

  test("gives the tasks of a plan more attempts, and takes up those that were given up", () => {
    const plan = [adopted([planned("T-1")], { attemptLimit: 1 }), started("T-1"), failed("T-1")];
    const spent = loopWith(
      { goal: { iterationLimit: null } },
      ...plan,
      { type: "task.given-up", task: "T-1", why: "the tests fail" },
      { ...paused, reason: "iterations" },
    );
    const more = evolve(spent, { ...continued, addedIterations: 2 }, START);

    expect(usedUp(spent, START)).toEqual(["iterations"]);
    expect(usedUp(evolve(spent, continued, START), START)).toEqual(["iterations"]);
    expect(usedUp(more, START)).toEqual([]);
    expect(more.workflow).toMatchObject({ attemptLimit: 3, givenUp: [] });
  });

  test("shows a plan's tasks, and counts waves that began and attempts made again", () => {
    const loop = loopWith(
      { goal: { exitRule: "tasks" } },
      adopted([planned("T-1"), planned("T-2", ["T-1"]), planned("T-3")]),
      { type: "wave.begun", wave: 1 },
      ...done("T-1", 1),
      { type: "wave.begun", wave: 2 },
      started("T-2"),
      failed("T-2"),
      started("T-2", 2),
    );

    expect(topFrame(loop).iteration).toBe(3);
    expect(topFrame(loop).tasks).toMatchObject([
      { id: "T-1", status: "completed", wave: 1, attempts: 1 },
      { id: "T-2", status: "in_progress", wave: 2, attempts: 2, blockedBy: ["T-1"] },
      { id: "T-3", status: "pending", wave: 1, attempts: 0 },
    ]);
  });

  test("adds nothing to a limit that is none", () => {
    const loop = loopWith({ goal: { iterationLimit: null } }, { ...continued, addedIterations: 3 });

    expect(topFrame(loop).iterationLimit).toBeNull();
  });

  test("counts the time in which a loop is active, pauses left out", () => {
    const loop = loopOver({}, [10 * MINUTE, paused], [5 * HOUR, continued]);

    expect(elapsedMs(loop, START + 5 * HOUR + MINUTE)).toBe(11 * MINUTE);
  });

  test("counts no time twice when an active loop is continued", () => {
    const loop = loopOver({}, [10 * MINUTE, continued], [20 * MINUTE, continued]);

    expect(elapsedMs(loop, START + 30 * MINUTE)).toBe(30 * MINUTE);
  });

  test.each<[string, LoopEvent]>([
    ["a session", bound],
    ["another run", { ...began, run: sessionId("run-2") }],
  ])("counts again once %s goes on after a usage limit", (_, next) => {
    const loop = fold([
      [0, opening({ binding: null })],
      [0, began],
      [0, launched("1-1", 1)],
      [MINUTE, turnEnded("1-1", "usage-limit")],
      [MINUTE, { type: "usage-limit.met", until: START + HOUR, detail: "try again at 10" }],
      [HOUR, next],
    ]) as Loop;
    expect(elapsedMs(loop, START + HOUR + MINUTE)).toBe(2 * MINUTE);
  });

  test("counts no time from a run's last sign of life until another one goes on", () => {
    const killed = [
      [0, opening({ binding: null })],
      [0, began],
      [0, launched("1-1", 1)],
    ] as const;
    const found = fold([
      ...killed,
      [10 * HOUR, { ...runEnded, lastSeenAt: START + 10 * MINUTE }],
      [10 * HOUR, continued],
      [10 * HOUR, { ...began, run: sessionId("run-2") }],
    ]) as Loop;
    expect(elapsedMs(found, START + 10 * HOUR + MINUTE)).toBe(11 * MINUTE);

    const idle = loopOver({}, [MINUTE, held(1)], [10 * HOUR, bound]);
    expect(elapsedMs(idle, START + 10 * HOUR + MINUTE)).toBe(2 * MINUTE);
  });

  test("counts the time of a run that is still at work when a session takes the loop", () => {
    const taken = fold([
      [0, opening({ binding: null })],
      [0, began],
      [0, launched("1-1", 1)],
      [50 * MINUTE, bound],
    ]) as Loop;
    expect(elapsedMs(taken, START + 51 * MINUTE)).toBe(51 * MINUTE);
  });

  test("goes on with a wait when more is given meanwhile", () => {
    const loop = fold([
      [0, opening({ binding: null })],
      [0, began],
      [0, launched("1-1", 1)],
      [10 * MINUTE, turnEnded("1-1", "usage-limit")],
      [10 * MINUTE, { type: "usage-limit.met", until: START + 5 * HOUR, detail: "try again" }],
      [20 * MINUTE, { ...continued, addedMinutes: 5 }],
    ]) as Loop;
    expect(elapsedMs(loop, START + 4 * HOUR)).toBe(10 * MINUTE);
    expect(loop.driven?.waitsUntil).toBe(START + 5 * HOUR);
  });

  test.each([
    ["plan-mode", MINUTE],
    ["background-work", HOUR],
  ])("counts a wait for a person as no work: %s", (what, expected) => {
    const loop = loopOver({}, [MINUTE, { type: "wait.began", what }]);
    expect(elapsedMs(loop, START + HOUR)).toBe(expected);
  });

  test("counts no time while a person is asked", () => {
    const loop = fold([
      [0, opening({ binding: null, shape: "colleague" })],
      [0, began],
      [0, launched("1-1", 1)],
      [MINUTE, turnEnded("1-1")],
      [MINUTE, { type: "iteration.handed-back", iteration: 2 }],
      [HOUR, launched("2-1", 2)],
    ]) as Loop;
    expect(elapsedMs(loop, START + HOUR + MINUTE)).toBe(2 * MINUTE);
  });

  test("stops the clock at the end", () => {
    const loop = loopOver({}, [10 * MINUTE, completed]);
    expect(elapsedMs(loop, START + HOUR)).toBe(10 * MINUTE);
  });

  test("knows of a turn that it is charged, and that others came in between", () => {
    const running = fold([
      [0, opening({ binding: null, goal: { criteria: [checked("tests")] } })],
      [1, began],
      [2, launched("1-1", 1)],
    ]) as Loop;
    expect(running.driven?.turn).toMatchObject({ charged: false, superseded: false });
    const cost: LoopEvent = { type: "cost.charged", usd: 1, tokens: 1, priced: true };
    expect(evolve(running, cost, START).driven?.turn?.charged).toBe(false);
    expect(evolve(running, { ...cost, turn: "1-1" }, START).driven?.turn?.charged).toBe(true);
    const restored: LoopEvent = { type: "checkpoint.restored", iteration: 1, commit: "a".repeat(40) };
    expect(evolve(running, restored, START).driven?.turn?.superseded).toBe(true);
    expect(evolve(running, bound, START).driven?.turn?.superseded).toBe(true);
  });

  test("tells the last iteration that was begun, not one that a pause kept from beginning", () => {
    const before: Trace = [
      [0, opening({ binding: null })],
      [0, began],
      [0, launched("1-1", 1)],
      [1, turnEnded("1-1")],
      [1, held(2)],
    ];
    const asked = fold([...before, [2, paused]]) as Loop;
    expect([topFrame(asked).iteration, begunIteration(asked)]).toEqual([2, 1]);
    const cutOff = fold([...before, [2, launched("2-1", 2)], [3, paused]]) as Loop;
    expect(begunIteration(cutOff)).toBe(2);
    expect(begunIteration(loopWith({}, held(1), paused))).toBe(1);
  });

  test("knows more to be spent than it was told", () => {
    const untold: LoopEvent = { type: "cost.charged", usd: 0, tokens: 0, priced: false };
    const loop = loopWith({}, { type: "cost.charged", usd: 1, tokens: 10, priced: true }, untold);
    expect(costMark(loop.spend)).toBe("at least ");
  });

  test("forgets what was known of a criterion whose check is replaced", () => {
    const loop = loopWith(withTests, ran("tests"), {
      type: "criterion.amended",
      name: "tests",
      check: checked("more tests").check,
      by: "person",
    });

    expect(topFrame(loop).criteria).toMatchObject([{ name: "tests", evidence: null, attestation: null }]);
  });

  test("remembers what a check said at the start", () => {
    const loop = loopWith(
      withTests,
      { type: "check.ran", name: "tests", evidence: evidenceFor("tests", { passed: false }), atStart: true },
      ran("tests"),
    );

    expect(topFrame(loop).criteria).toMatchObject([{ passedAtStart: false, evidence: { passed: true } }]);
  });

  test("changes only the frame at work", () => {
    const outer = loopWith(withTests, held(1));
    const loop = evolveAll(outer, [pushed, held(1), counted, { type: "step.added", name: "inner" }], START);

    expect(loop.frames[0]).toEqual(topFrame(outer));
  });

  test("does not alter the loop that it is given", () => {
    for (const trace of Object.values(traces)) {
      let loop: Loop | null = null;
      for (const [after, event] of trace) {
        const before = JSON.stringify(loop);
        const next: Loop = evolve(loop, event, START + after);
        expect(JSON.stringify(loop)).toBe(before);
        loop = next;
      }
    }
  });
});

describe("what was shown beyond a check", () => {
  const judged = proofShown("tests", { kind: "judge", result: "fails", files: ["test/cart.test.js"] });
  const [criterion] = topFrame(loopWith(withTests, ran("tests"), judged)).criteria;
  const criterionAfter = (...events: readonly LoopEvent[]) =>
    topFrame(loopWith(withTests, ran("tests"), judged, ...events)).criteria[0];

  test("belongs to its criterion, with the files that the opening's judge failed for", () => {
    expect(criterion).toMatchObject({ proofs: [judged.proof], judgedAgainst: ["test/cart.test.js"] });
    expect(topFrame(loopWith(withTests, judged)).proofs).toEqual([]);
  });

  test("of a holdout belongs to the whole, the last of each name", () => {
    const holdout = (name: string, result: "stands" | "fails") =>
      proofShown(null, { kind: "holdout", result, detail: name });
    const loop = loopWith(withTests, holdout("a", "fails"), holdout("b", "stands"), holdout("a", "stands"));

    expect(topFrame(loop).proofs).toEqual([holdout("b", "stands").proof, holdout("a", "stands").proof]);
    expect(topFrame(loop).criteria[0]?.proofs).toEqual([]);
  });

  test("of a kind is the last word of that kind", () => {
    const once = proofShown("tests", { kind: "repeat", result: "fails" });
    const again = proofShown("tests", { kind: "repeat" });

    expect(criterionAfter(once, again)?.proofs).toEqual([judged.proof, again.proof]);
  });

  test("says nothing of other files, but which ones it failed for is remembered", () => {
    expect(criterionAfter(ran("tests", { treeDigest: "other files" }))).toMatchObject({
      proofs: [],
      judgedAgainst: ["test/cart.test.js"],
    });
  });

  test("against it isn't taken back by another run of the check on the same files", () => {
    const hidden = proofShown(null, { kind: "holdout", result: "fails", detail: "totals" });
    const stands = proofShown("tests", { kind: "repeat" });
    const failing = ran("tests", { passed: false });
    const loop = loopWith(withTests, ran("tests"), judged, stands, hidden, failing, ran("tests"));
    const [again] = topFrame(loop).criteria;

    expect(again?.proofs).toEqual([judged.proof]);
    expect(again && statusOf(again, standardOf(loop))).toBe("unmet");
    expect(topFrame(loop).proofs).toEqual([hidden.proof]);
    const elsewhere = evolve(loop, ran("tests", { treeDigest: null }), START);
    expect(topFrame(evolve(elsewhere, ran("tests", { treeDigest: null }), START)).proofs).toEqual([]);
  });

  test.each(["stands", "open"] as const)(
    "by the opening's judge that %s is held against no file",
    (result) => {
      expect(criterionAfter(proofShown("tests", { kind: "judge", result }))?.judgedAgainst).toBeNull();
    },
  );

  test("by another proof leaves alone what the opening's judge said", () => {
    expect(criterionAfter(proofShown("tests", { kind: "repeat" }))?.judgedAgainst).toEqual([
      "test/cart.test.js",
    ]);
  });

  test("is forgotten when a person approves the changed files, or the check is replaced", () => {
    const approved: LoopEvent = { type: "opening.approved", names: ["test/cart.test.js"] };
    const check = checked("more tests").check;
    const amended: LoopEvent = { type: "criterion.amended", name: "tests", check, by: "person" };

    for (const event of [approved, amended])
      expect(criterionAfter(event)).toMatchObject({ proofs: [], judgedAgainst: null });
    expect(criterionAfter(approved)?.evidence).not.toBeNull();
  });
});

test("the files on which a check failed are remembered when it passes", () => {
  const failed = ran("tests", { passed: false, treeDigest: "tree-1" });
  const trees = [[failed], [failed, ran("tests")], [failed, ran("tests", { passed: false })]].map(
    (events) => topFrame(loopWith(withTests, ...events)).criteria[0]?.failedTree,
  );

  expect(trees).toEqual(["tree-1", "tree-1", "tree-0"]);
});

test("a criterion is the agent's when the agent added it, or replaced its check", () => {
  const { check } = checked("lint");
  const added = (by: "agent" | "person"): LoopEvent => ({ type: "criterion.added", name: "lint", check, by });
  const amended = (by: "agent" | "person"): LoopEvent => ({
    type: "criterion.amended",
    name: "lint",
    check,
    by,
  });
  const isAgents = (...events: readonly LoopEvent[]) =>
    topFrame(loopWith(withTests, ...events)).criteria.map((each) => each.isAgents);

  expect(isAgents(added("person"))).toEqual([false, false]);
  expect(isAgents(added("agent"))).toEqual([false, true]);
  expect(isAgents(added("agent"), amended("person"))).toEqual([false, false]);
  expect(isAgents(added("person"), amended("agent"))).toEqual([false, true]);
});

describe("a loop that is driven from outside", () => {
  const driven = loopWith(withTests, began);

  test("is the run's, and no session's any more", () => {
    expect(driven.binding).toEqual({ session: RUN, host: "codex" });
    expect(isDriven(driven)).toBe(true);
    expect(isDriven(evolve(driven, bound, START))).toBe(false);
  });

  test("begins with iteration 1, goes on with one that was cut off, and never repeats one that was judged", () => {
    const cutOff = evolveAll(driven, [launched("1-1", 1), turnEnded("1-1", "interrupted")], START);
    const judged = evolveAll(cutOff, [launched("1-2", 1), turnEnded("1-2")], START);
    const heldOn = evolve(judged, held(2), START);

    expect(nextIteration(topFrame(driven))).toBe(1);
    expect(nextIteration(topFrame(cutOff))).toBe(1);
    expect(nextIteration(topFrame(judged))).toBe(2);
    expect(nextIteration(topFrame(heldOn))).toBe(2);
  });

  test("counts the turns of an iteration that ended in trouble, until one does not or a person goes on", () => {
    const once = evolveAll(driven, [launched("1-1", 1), turnEnded("1-1", "transient")], START);
    const well = evolveAll(once, [launched("1-2", 1), turnEnded("1-2")], START);

    expect(once.driven?.retries).toBe(1);
    expect(well.driven?.retries).toBe(0);
    expect(evolveAll(once, [paused, continued], START).driven?.retries).toBe(0);
  });

  test("keeps the conversation for the same agent, and not for another, nor when it was lost", () => {
    const talking = evolve(driven, { type: "conversation.opened", conversation: sessionId("t") }, START);
    const lost = evolveAll(talking, [launched("1-1", 1), turnEnded("1-1", "lost-conversation")], START);

    expect(evolve(talking, began, START).driven?.conversation?.id).toBe("t");
    expect(evolve(talking, { ...began, driver: "opencode" }, START).driven?.conversation).toBeNull();
    expect(lost.driven?.conversation).toBeNull();
  });

  test("remembers of its last iterations what was said and what failed then", () => {
    let loop = driven;
    for (let iteration = 1; iteration <= 7; iteration += 1) {
      const turn = `${iteration}-1`;
      loop = evolveAll(
        loop,
        [launched(turn, iteration), turnEnded(turn), ran("tests", { passed: false }), held(iteration + 1)],
        START,
      );
    }

    expect(topFrame(loop).tried.map((each) => each.iteration)).toEqual([3, 4, 5, 6, 7]);
    expect(topFrame(loop).tried.at(-1)).toEqual({
      iteration: 7,
      said: "turn 7-1",
      failure: "tests: Error: tests is broken",
    });
  });

  test("remembers what failed as it was printed, for whoever reads it", () => {
    const outputTail = "Error: no /tmp/shop-a1/cart.js after 1.52 s\nError: the till is gone\n";
    const failing = ran("tests", { passed: false, outputTail });
    const loop = evolveAll(driven, [launched("1-1", 1), turnEnded("1-1"), failing, held(2)], START);
    expect(topFrame(loop).tried.at(-1)?.failure).toBe(
      "tests: Error: no /tmp/shop-a1/cart.js after 1.52 s and 1 more",
    );
  });
});

test("a changed shape is the loop's from then on, also after a pause", () => {
  const loop = loopWith(opening({ shape: "colleague" }), {
    type: "shape.changed",
    shape: "tool",
    by: "person",
  });
  expect(loop.shape).toBe("tool");
  expect(evolveAll(loop, [paused, continued], START).shape).toBe("tool");
});
