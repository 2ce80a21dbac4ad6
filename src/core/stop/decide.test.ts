import { describe, expect, test } from "vitest";
import {
  HOUR,
  MINUTE,
  SESSION,
  START,
  checked,
  evidenceFor,
  goal,
  loopOver,
  loopWith,
  opening,
  ran,
  sessionId,
  settle,
  stopFacts,
  task,
  unchecked,
} from "../../../test/support/loop-builders.ts";
import type { World } from "../../../test/support/loop-builders.ts";
import { DEFAULT_LIMITS } from "../loop/limits.ts";
import type { LoopEvent } from "../events/event.ts";
import { topFrame, type Loop } from "../loop/loop.ts";
import { decide } from "./decide.ts";
import { SAID_NOTHING, type Said, type StopFacts, type StopKind } from "./facts.ts";
import type { Verdict } from "./verdict.ts";

const DONE: Said = { ...SAID_NOTHING, claims: [{ type: "exit", source: "status-block" }] };
const MARKER: Said = { ...SAID_NOTHING, marker: true };

function signalled(...signals: Said["signals"]): Said {
  return { ...SAID_NOTHING, signals };
}

const COUNTED = ["breakers.counted", "iteration.held"] as const;

interface Row {
  /** The row of the decision's table. */
  readonly row: number;
  readonly title: string;
  readonly loop?: Loop;
  readonly facts?: Partial<StopFacts>;
  readonly world?: World;
  readonly verdict: Partial<Verdict>;
  readonly events?: readonly LoopEvent["type"][];
}

const working = loopWith({ goal: { criteria: [checked("tests")] } });
const signalling = (mode: "loop" | "issue" | "grind"): Loop =>
  loopWith({ goal: { exitRule: "signal", mode } });

const rows: readonly Row[] = [
  {
    row: 0,
    title: "a loop taken over from idle-loop's stores is held with the first line and nothing after it",
    loop: loopWith({ origin: "idle-loop", goal: { exitRule: "signal" } }),
    verdict: {
      type: "hold",
      reason: expect.objectContaining({ bare: true, iteration: 1, iterationLimit: 10 }),
    },
    events: COUNTED,
  },
  {
    row: 1,
    title: "a switched-off hook lets go before anything is read",
    facts: { disabled: true, said: DONE },
    verdict: { type: "let-go", because: "disabled" },
  },
  {
    row: 2,
    title: "a caller without a session is let go",
    facts: { session: null },
    verdict: { type: "let-go", because: "no-loop" },
  },
  {
    row: 2,
    title: "a loop of another session is not touched",
    facts: { session: sessionId("session-2"), said: DONE },
    verdict: { type: "let-go", because: "other-session" },
  },
  {
    row: 2,
    title: "an unbound loop holds nobody",
    loop: loopWith({ binding: null }),
    verdict: { type: "let-go", because: "other-session" },
  },
  {
    row: 3,
    title: "a loop that is not trusted here runs and injects nothing",
    loop: loopWith({ mustNots: [{ kind: "path", glob: "**" }], goal: { criteria: [checked("tests")] } }),
    facts: { trusted: false, said: DONE },
    verdict: { type: "let-go", because: "untrusted" },
  },
  {
    row: 5,
    title: "a paused loop lets go",
    loop: loopWith({}, { type: "loop.paused", reason: "user", detail: null, by: "person" }),
    facts: { said: DONE },
    verdict: { type: "let-go", because: "paused-before" },
  },
  {
    row: 5,
    title: "a completed loop lets go",
    loop: loopWith({}, { type: "loop.completed", confidence: "unverified", why: [], changed: null }),
    verdict: { type: "let-go", because: "ended" },
  },
  {
    row: 5,
    title: "a cancelled loop lets go",
    loop: loopWith({}, { type: "loop.cancelled", by: "person" }),
    verdict: { type: "let-go", because: "ended" },
  },
  ...(
    [
      ["background-work", ["wait.began"]],
      ["context-limit", ["wait.began"]],
      ["interrupt", []],
      ["plan-mode", ["wait.began"]],
      ["awaiting-user", ["wait.began"]],
      ["api-error", ["wait.began"]],
      ["subagent", []],
    ] as const satisfies readonly (readonly [StopKind, readonly LoopEvent["type"][]])[]
  ).map(([stop, events]): Row => ({
    row: 6,
    title: `${stop} is no end of work, whatever was said`,
    facts: { stop, said: DONE },
    verdict: { type: "let-go", because: "not-an-end", stop },
    events,
  })),
  {
    row: 7,
    title: "a violated must-not pauses and says which",
    loop: loopWith({ mustNots: [{ kind: "path", glob: "db/**" }] }),
    facts: { said: DONE },
    world: {
      mustNots: [
        { mustNot: "path:api/**", violation: null },
        { mustNot: "path:db/**", violation: "db/schema.sql changed" },
      ],
    },
    verdict: {
      type: "let-go",
      because: "paused",
      reason: "must-not",
      detail: "path:db/**: db/schema.sql changed",
    },
    events: ["exit.signalled", "loop.paused"],
  },
  {
    row: 7,
    title: "a must-not that holds is in nobody's way",
    loop: loopWith({ mustNots: [{ kind: "path", glob: "db/**" }] }),
    world: { mustNots: [{ mustNot: "path:db/**", violation: null }] },
    verdict: { type: "hold", because: "unfinished" },
    events: COUNTED,
  },
  {
    row: 7,
    title: "an agent that says it is blocked pauses the loop, even when it also says it is done",
    facts: {
      said: { ...DONE, claims: [...DONE.claims, { type: "blocked", reason: "needs the password" }] },
    },
    verdict: { type: "let-go", because: "paused", reason: "blocked", detail: "needs the password" },
    events: ["exit.signalled", "loop.paused"],
  },
  {
    row: 7,
    title: "a violated must-not is told before the agent's own obstacle",
    loop: loopWith({ mustNots: [{ kind: "path", glob: "db/**" }] }),
    facts: { said: { ...SAID_NOTHING, claims: [{ type: "blocked", reason: "needs the password" }] } },
    world: { mustNots: [{ mustNot: "path:db/**", violation: "changed" }] },
    verdict: { type: "let-go", because: "paused", reason: "must-not" },
    events: ["loop.paused"],
  },
  {
    row: 8,
    title: "silence before the turn makes the loop stale, even for finished work",
    loop: loopOver({}, [2 * HOUR + 1, { type: "turn.started" }]),
    facts: { now: START + 3 * HOUR, continuesHold: false, said: DONE },
    verdict: { type: "let-go", because: "paused", reason: "stale" },
    events: ["exit.signalled", "loop.paused"],
  },
  {
    row: 9,
    title: "rule criteria: every criterion met and the exit signal complete the loop",
    facts: { said: DONE },
    verdict: { type: "let-go", because: "completed", confidence: "verified", why: [] },
    events: ["exit.signalled", "check.ran", "proof.shown", "proof.shown", "loop.completed"],
  },
  {
    row: 9,
    title: "rule criteria: the exit signal may have been given by a command before the stop",
    loop: loopWith({ goal: { criteria: [checked("tests")] } }, { type: "exit.signalled", source: "command" }),
    verdict: { type: "let-go", because: "completed", confidence: "verified", why: [] },
    events: ["check.ran", "proof.shown", "proof.shown", "loop.completed"],
  },
  {
    row: 9,
    title: "rule criteria: the marker is an exit signal",
    facts: { said: MARKER },
    verdict: { type: "let-go", because: "completed", confidence: "verified", why: [] },
    events: ["exit.signalled", "check.ran", "proof.shown", "proof.shown", "loop.completed"],
  },
  {
    row: 9,
    title: "rule criteria: met criteria without the exit signal are held, and the signal is all that lacks",
    loop: loopWith({ goal: { criteria: [checked("tests")] } }, ran("tests")),
    verdict: { type: "hold", reason: expect.objectContaining({ unmet: [], lacksSignal: true }) },
    events: COUNTED,
  },
  {
    row: 9,
    title: "rule criteria: the exit signal without a met criterion is held, with the check's output",
    facts: { said: DONE },
    world: { checks: { tests: { passed: false, outputTail: "Error: 2 tests failed" } } },
    verdict: {
      type: "hold",
      reason: expect.objectContaining({
        unmet: ["tests"],
        lacksSignal: false,
        failing: [
          expect.objectContaining({
            name: "tests",
            unchanged: false,
            evidence: expect.objectContaining({ outputTail: "Error: 2 tests failed" }),
          }),
        ],
      }),
    },
    events: ["exit.signalled", "check.ran", ...COUNTED],
  },
  {
    row: 9,
    title: "rule criteria: a tag of rule signal is no exit signal",
    facts: { said: signalled({ tag: "loop-done", signal: "COMPLETE" }) },
    verdict: { type: "hold", because: "unfinished" },
    events: COUNTED,
  },
  {
    row: 9,
    title: "rule criteria: no criteria and a true signal complete the loop unverified",
    loop: loopWith({}),
    facts: { said: DONE },
    verdict: { type: "let-go", because: "completed", confidence: "unverified" },
    events: ["exit.signalled", "loop.completed"],
  },
  {
    row: 9,
    title: "rule marker: the marker completes the loop",
    loop: loopWith({ goal: { exitRule: "marker" } }),
    facts: { said: MARKER },
    verdict: { type: "let-go", because: "completed" },
    events: ["loop.completed"],
  },
  {
    row: 9,
    title: "rule marker: the exit signal alone does not complete the loop",
    loop: loopWith({ goal: { exitRule: "marker" } }),
    facts: { said: DONE },
    verdict: { type: "hold", because: "unfinished" },
    events: ["exit.signalled", ...COUNTED],
  },
  {
    row: 9,
    title: "rule marker: a marker that a check contradicts is held",
    loop: loopWith({ goal: { exitRule: "marker", criteria: [checked("tests")] } }),
    facts: { said: MARKER },
    world: { checks: { tests: { passed: false } } },
    verdict: { type: "hold", because: "unfinished" },
    events: ["check.ran", ...COUNTED],
  },
  {
    row: 9,
    title: "rule tasks: a pending task holds, by its subject",
    loop: loopWith({ goal: { exitRule: "tasks" } }, task("1", "completed"), task("2", "pending")),
    facts: { said: { ...MARKER, claims: DONE.claims } },
    verdict: { type: "hold", reason: expect.objectContaining({ rule: "tasks", unmet: ["subject of 2"] }) },
    events: ["exit.signalled", ...COUNTED],
  },
  {
    row: 9,
    title: "rule tasks: a task in progress holds",
    loop: loopWith({ goal: { exitRule: "tasks" } }, task("1", "in_progress")),
    verdict: { type: "hold", because: "unfinished" },
    events: COUNTED,
  },
  {
    row: 9,
    title: "rule tasks: all tasks completed complete the loop without a word",
    loop: loopWith({ goal: { exitRule: "tasks" } }, task("1", "completed")),
    verdict: { type: "let-go", because: "completed" },
    events: ["loop.completed"],
  },
  {
    row: 9,
    title: "rule tasks: a failing check holds when all tasks are completed, and no signal lacks",
    loop: loopWith({ goal: { exitRule: "tasks", criteria: [checked("tests")] } }, task("1", "completed")),
    world: { checks: { tests: { passed: false } } },
    verdict: {
      type: "hold",
      reason: expect.objectContaining({
        failing: [expect.objectContaining({ name: "tests" })],
        lacksSignal: false,
      }),
    },
    events: ["check.ran", ...COUNTED],
  },
  ...(
    [
      ["loop", { tag: "loop-done", signal: "COMPLETE" }],
      ["issue", { tag: "loop-done", signal: "COMPLETE" }],
      ["issue", { tag: "issue-complete", signal: "DONE" }],
      ["grind", { tag: "grind-done", signal: "NO_MORE_ISSUES" }],
    ] as const
  ).map(([mode, signal]): Row => ({
    row: 9,
    title: `rule signal: ${signal.signal} of ${signal.tag} completes mode ${mode}`,
    loop: signalling(mode),
    facts: { said: signalled(signal) },
    verdict: { type: "let-go", because: "completed" },
    events: ["loop.completed"],
  })),
  ...(
    [
      ["loop", { tag: "loop-done", signal: "STUCK" }, "stuck"],
      ["loop", { tag: "loop-done", signal: "MAX_ITERATIONS" }, "iterations"],
      ["issue", { tag: "loop-done", signal: "STUCK" }, "stuck"],
      ["issue", { tag: "loop-done", signal: "MAX_ITERATIONS" }, "iterations"],
      ["grind", { tag: "grind-done", signal: "MAX_ISSUES" }, "iterations"],
    ] as const
  ).map(([mode, signal, reason]): Row => ({
    row: 9,
    title: `rule signal: ${signal.signal} pauses mode ${mode} with ${reason}`,
    loop: signalling(mode),
    facts: { said: signalled(signal) },
    verdict: { type: "let-go", because: "paused", reason },
    events: ["loop.paused"],
  })),
  ...(
    [
      ["loop", { tag: "issue-complete", signal: "DONE" }],
      ["loop", { tag: "grind-done", signal: "NO_MORE_ISSUES" }],
      ["issue", { tag: "grind-done", signal: "NO_MORE_ISSUES" }],
      ["grind", { tag: "loop-done", signal: "COMPLETE" }],
      ["grind", { tag: "loop-done", signal: "STUCK" }],
      ["grind", { tag: "issue-complete", signal: "DONE" }],
    ] as const
  ).map(([mode, signal]): Row => ({
    row: 9,
    title: `rule signal: ${signal.tag} says nothing to mode ${mode}`,
    loop: signalling(mode),
    facts: { said: signalled(signal) },
    verdict: { type: "hold", because: "unfinished" },
    events: COUNTED,
  })),
  {
    row: 9,
    title: "rule signal: of several signals the last one counts (STUCK after COMPLETE)",
    loop: signalling("loop"),
    facts: {
      said: signalled({ tag: "loop-done", signal: "COMPLETE" }, { tag: "loop-done", signal: "STUCK" }),
    },
    verdict: { type: "let-go", because: "paused", reason: "stuck" },
    events: ["loop.paused"],
  },
  {
    row: 9,
    title: "rule signal: of several signals the last one counts (DONE after STUCK)",
    loop: signalling("issue"),
    facts: {
      said: signalled({ tag: "loop-done", signal: "STUCK" }, { tag: "issue-complete", signal: "DONE" }),
    },
    verdict: { type: "let-go", because: "completed" },
    events: ["loop.completed"],
  },
  {
    row: 9,
    title: "rule signal: a later tag of another mode does not hide the mode's own",
    loop: signalling("loop"),
    facts: {
      said: signalled({ tag: "loop-done", signal: "COMPLETE" }, { tag: "grind-done", signal: "MAX_ISSUES" }),
    },
    verdict: { type: "let-go", because: "completed" },
    events: ["loop.completed"],
  },
  {
    row: 9,
    title: "rule signal: COMPLETE is a claim and meets the checks",
    loop: loopWith({ goal: { exitRule: "signal", criteria: [checked("tests")] } }),
    facts: { said: signalled({ tag: "loop-done", signal: "COMPLETE" }) },
    world: { checks: { tests: { passed: false } } },
    verdict: { type: "hold", because: "unfinished" },
    events: ["check.ran", ...COUNTED],
  },
  {
    row: 9,
    title: "rule signal: neither the marker nor the exit signal completes it",
    loop: signalling("loop"),
    facts: { said: { ...MARKER, claims: DONE.claims } },
    verdict: { type: "hold", because: "unfinished" },
    events: ["exit.signalled", ...COUNTED],
  },
  {
    row: 10,
    title: "a reached limit pauses and lets go",
    loop: loopWith({}, { type: "cost.charged", usd: 25, tokens: 0, priced: true }),
    verdict: { type: "let-go", because: "paused", reason: "budget" },
    events: ["breakers.counted", "loop.paused"],
  },
  {
    row: 10,
    title: "work finished on the last allowed iteration counts as finished",
    loop: loopWith(
      { goal: { iterationLimit: 1 } },
      { type: "iteration.held", iteration: 1, sentFailure: null },
      { type: "cost.charged", usd: 99, tokens: 0, priced: true },
    ),
    facts: { said: DONE },
    verdict: { type: "let-go", because: "completed" },
    events: ["exit.signalled", "loop.completed"],
  },
  {
    row: 11,
    title: "a colleague hands back to the person who is there",
    loop: loopWith({ shape: "colleague" }),
    facts: { personPresent: true },
    verdict: { type: "let-go", because: "handed-back", iteration: 1 },
    events: ["breakers.counted", "iteration.handed-back"],
  },
  {
    row: 11,
    title: "a colleague alone is held like everybody else",
    loop: loopWith({ shape: "colleague" }),
    verdict: { type: "hold", because: "unfinished" },
    events: COUNTED,
  },
  {
    row: 11,
    title: "a tool is held though a person is there",
    facts: { personPresent: true },
    verdict: { type: "hold", because: "unfinished" },
    events: COUNTED,
  },
  {
    row: 11,
    title: "a limit pauses a colleague before it hands back",
    loop: loopWith({ shape: "colleague", goal: { iterationLimit: 0 } }),
    facts: { personPresent: true },
    verdict: { type: "let-go", because: "paused", reason: "iterations" },
    events: ["breakers.counted", "loop.paused"],
  },
  {
    row: 12,
    title: "unfinished work is held, with what is unmet and what comes next",
    loop: loopWith(
      { goal: { criteria: [checked("tests"), unchecked("docs read well")], steps: ["parse", "print"] } },
      { type: "step.finished", name: "parse", source: "command" },
    ),
    verdict: {
      type: "hold",
      reason: {
        iteration: 1,
        iterationLimit: 10,
        rule: "criteria",
        unmet: ["tests", "docs read well"],
        unattested: ["docs read well"],
        voided: [],
        failing: [],
        nextStep: "print",
        lacksSignal: false,
        bare: false,
      },
    },
    events: COUNTED,
  },
];

describe("the rows of the stop decision", () => {
  test.each(rows.map((each) => [each.row, each.title, each] as const))("row %i: %s", (_row, _title, each) => {
    const { loop = working, facts, world, verdict, events = [] } = each;
    const settled = settle(loop, stopFacts(facts), world);

    expect(settled.verdict).toMatchObject(verdict);
    expect(settled.types).toEqual(events);
  });

  test("row 2: no loop lets go", () => {
    expect(decide({ type: "none" }, stopFacts())).toEqual({
      type: "verdict",
      verdict: { type: "let-go", because: "no-loop" },
      events: [],
    });
  });

  test("row 4: a state that cannot be understood lets go, says why and writes nothing", () => {
    expect(decide({ type: "corrupt", why: "record 3 is damaged" }, stopFacts())).toEqual({
      type: "verdict",
      verdict: { type: "let-go", because: "aborted", why: "record 3 is damaged" },
      events: [],
    });
  });

  test("row 3 comes before row 4: nothing is said about a damaged loop that is not trusted", () => {
    expect(decide({ type: "corrupt", why: "record 3 is damaged" }, stopFacts({ trusted: false }))).toEqual({
      type: "verdict",
      verdict: { type: "let-go", because: "untrusted" },
      events: [],
    });
  });

  test("row 1 comes before row 4: a switched-off hook says nothing about a damaged loop", () => {
    const decision = decide({ type: "corrupt", why: "damaged" }, stopFacts({ disabled: true }));

    expect(decision).toMatchObject({ verdict: { because: "disabled" } });
  });

  test("every row has a case", () => {
    const covered = new Set([...rows.map(({ row }) => row), 4]);

    expect([...covered].sort((a, b) => a - b)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12]);
  });
});

describe("a hold", () => {
  test("raises the iteration and resets the exit signal", () => {
    const { loop } = settle(working, stopFacts({ said: DONE }), { checks: { tests: { passed: false } } });

    expect(topFrame(loop)).toMatchObject({ iteration: 1, exitSignal: false });
  });

  test("counts up to the limit, and the stop after it pauses", () => {
    let loop = loopWith({ goal: { iterationLimit: 3 } });
    const told: unknown[] = [];
    for (let turn = 0; turn < 4; turn += 1) {
      const settled = settle(loop, stopFacts());
      told.push(
        settled.verdict.type === "hold" && settled.verdict.because === "unfinished"
          ? settled.verdict.reason.iteration
          : settled.verdict,
      );
      loop = settled.loop;
    }

    expect(told).toEqual([
      1,
      2,
      3,
      {
        type: "let-go",
        because: "paused",
        reason: "iterations",
        detail: "3 of 3 iterations used",
      },
    ]);
  });

  test("names no limit where there is none", () => {
    const loop = loopWith({ goal: { iterationLimit: null } });

    expect(settle(loop, stopFacts()).verdict).toMatchObject({ reason: { iterationLimit: null } });
  });

  test("sends a failing check's output once, and says `unchanged` the second time", () => {
    const world = { checks: { tests: { passed: false } } };
    const first = settle(working, stopFacts({ said: DONE }), world);
    const second = settle(first.loop, stopFacts({ said: DONE }), world);
    const third = settle(second.loop, stopFacts({ said: DONE, now: START + 2 * MINUTE }), {
      checks: { tests: { passed: false, outputTail: "Error: another one" } },
    });

    expect([first, second, third].map(({ verdict }) => unchangedOf(verdict))).toEqual([
      [["tests", false]],
      [["tests", true]],
      [["tests", false]],
    ]);
  });

  test("says `unchanged` of each check by itself", () => {
    const loop = loopWith({ goal: { criteria: [checked("lint"), checked("tests")] } });
    const first = settle(loop, stopFacts({ said: DONE }), {
      checks: { lint: { passed: false }, tests: { passed: false } },
    });
    const second = settle(first.loop, stopFacts({ said: DONE }), {
      checks: { lint: { passed: true }, tests: { passed: false } },
    });

    expect(unchangedOf(second.verdict)).toEqual([["tests", true]]);
  });

  test("remembers what it sent over a hold in which no check ran", () => {
    const world = { checks: { tests: { passed: false } } };
    const first = settle(working, stopFacts({ said: DONE }), world);
    const between = settle(first.loop, stopFacts());
    const second = settle(between.loop, stopFacts({ said: DONE }), world);

    expect(unchangedOf(second.verdict)).toEqual([["tests", true]]);
  });

  test("sends the output in full again to a session that has not seen it", () => {
    const world = { checks: { tests: { passed: false } } };
    const other = sessionId("session-2");
    const first = settle(working, stopFacts({ said: DONE }), world);
    const moved = loopWith({ goal: { criteria: [checked("tests")] } }, ...first.events, {
      type: "session.bound",
      binding: { session: other, host: "claude-code" },
    });
    const second = settle(moved, stopFacts({ said: DONE, session: other }), world);

    expect(unchangedOf(second.verdict)).toEqual([["tests", false]]);
  });

  test("tells whether a failing check passed before the work began", () => {
    const loop = loopWith(
      { goal: { criteria: [checked("tests")] } },
      { type: "check.ran", name: "tests", evidence: evidenceFor("tests"), atStart: true },
    );
    const { verdict } = settle(loop, stopFacts({ said: DONE }), {
      tree: "tree-1",
      checks: { tests: { passed: false } },
    });

    expect(verdict).toMatchObject({ reason: { failing: [{ name: "tests", attribution: "regressed" }] } });
  });
});

function unchangedOf(verdict: Verdict): readonly (readonly [string, boolean])[] {
  if (verdict.type !== "hold" || verdict.because !== "unfinished") return [];
  return verdict.reason.failing.map(({ name, unchanged }) => [name, unchanged]);
}

describe("a colleague", () => {
  test("goes on after the user's next prompt, however late it comes", () => {
    const loop = loopWith({ shape: "colleague" });
    const first = settle(loop, stopFacts({ personPresent: true }));
    const prompted = loopOver(
      { shape: "colleague" },
      ...first.events.map((event) => [MINUTE, event] as const),
      [30 * HOUR, { type: "turn.started" }],
    );
    const facts = stopFacts({ personPresent: true, continuesHold: false, now: START + 31 * HOUR });

    expect(prompted.phase).toBe("active");
    expect(settle(prompted, facts).verdict).toMatchObject({ because: "handed-back", iteration: 2 });
  });

  test.each([
    ["is no iteration", {}, { because: "not-an-end", stop: "awaiting-user" }],
    ["is one if it used a tool", { toolUses: 1 }, { because: "handed-back", iteration: 2 }],
    ["is the end if it claims the end", { said: DONE }, { because: "completed" }],
    ["is one where nobody is there", { personPresent: false }, { type: "hold" }],
  ])("that answers its person in words alone: that %s", (_, facts, verdict) => {
    const loop = loopWith(
      { shape: "colleague" },
      { type: "iteration.handed-back", iteration: 1 },
      { type: "turn.started" },
    );
    const answered = { personPresent: true, continuesHold: false, toolUses: 0, ...facts };
    expect(settle(loop, stopFacts(answered)).verdict).toMatchObject(verdict);
  });
});

describe("a nested frame", () => {
  const outer = { goal: { exitRule: "criteria", criteria: [checked("outer tests")] } } as const;
  const inner = (origin: Loop["origin"] = "native"): Loop =>
    loopWith(
      { ...outer, origin },
      { type: "iteration.held", iteration: 1, sentFailure: null },
      { type: "frame.pushed", goal: goal({ exitRule: "signal", iterationLimit: 3 }), by: "agent" },
    );

  test("is held with its own counter and limit", () => {
    expect(settle(inner(), stopFacts()).verdict).toMatchObject({
      type: "hold",
      reason: { iteration: 1, iterationLimit: 3, rule: "signal" },
    });
  });

  test.each([
    ["COMPLETE", "satisfied"],
    ["STUCK", "stuck"],
    ["MAX_ITERATIONS", "iterations"],
  ] as const)("that says %s is popped, and the outer frame holds with its own reason", (signal, outcome) => {
    const said = signalled({ tag: "loop-done", signal });
    const { verdict, events, loop } = settle(inner(), stopFacts({ said }));

    expect(events[0]).toEqual({ type: "frame.popped", outcome });
    expect(verdict).toMatchObject({
      type: "hold",
      reason: { iteration: 2, iterationLimit: 10, rule: "criteria", unmet: ["outer tests"] },
    });
    expect(loop.phase).toBe("active");
    expect(loop.frames).toHaveLength(1);
  });

  test.each([
    ["COMPLETE", "satisfied"],
    ["STUCK", "stuck"],
    ["MAX_ITERATIONS", "iterations"],
  ] as const)(
    "of a loop taken over from idle-loop's stores lets go on %s and goes on at the next stop",
    (signal, outcome) => {
      const said = signalled({ tag: "loop-done", signal });
      const popped = settle(inner("idle-loop"), stopFacts({ said }));

      expect(popped.verdict).toEqual({ type: "let-go", because: "frame-popped" });
      expect(popped.events).toEqual([{ type: "frame.popped", outcome }]);
      expect(settle(popped.loop, stopFacts()).verdict).toMatchObject({
        type: "hold",
        reason: { iteration: 2, rule: "criteria" },
      });
    },
  );

  test("that is satisfied at its last iteration is popped, not paused", () => {
    const loop = loopWith(
      outer,
      { type: "frame.pushed", goal: goal({ iterationLimit: 0 }), by: "agent" },
      { type: "exit.signalled", source: "command" },
    );

    expect(settle(loop, stopFacts()).types).toEqual(["frame.popped", ...COUNTED]);
  });

  test("whose outer frame has no iterations left pauses the loop when it is popped", () => {
    const loop = loopWith(
      { goal: { iterationLimit: 0 } },
      { type: "frame.pushed", goal: goal(), by: "agent" },
      { type: "exit.signalled", source: "command" },
    );

    expect(settle(loop, stopFacts()).verdict).toMatchObject({ because: "paused", reason: "iterations" });
  });

  test("meets its own checks before it is popped", () => {
    const loop = loopWith(outer, {
      type: "frame.pushed",
      goal: goal({ criteria: [checked("inner tests")] }),
      by: "agent",
    });
    const { asked, verdict } = settle(loop, stopFacts({ said: DONE }), {
      checks: { "inner tests": { passed: false } },
    });

    expect(asked).toContainEqual({ type: "checks", names: ["inner tests"] });
    expect(verdict).toMatchObject({ type: "hold", reason: { unmet: ["inner tests"] } });
  });

  test("leaves its exit signal behind when it is popped", () => {
    const loop = loopWith({ goal: {} }, { type: "frame.pushed", goal: goal(), by: "agent" });
    const popped = settle(loop, stopFacts({ said: DONE }));

    expect(popped.verdict).toMatchObject({ type: "hold" });
    expect(settle(popped.loop, stopFacts()).verdict).toMatchObject({ type: "hold" });
  });

  test("completes the loop only with the last frame", () => {
    const popped = settle(inner(), stopFacts({ said: signalled({ tag: "loop-done", signal: "COMPLETE" }) }));
    const { verdict } = settle(popped.loop, stopFacts({ said: DONE }));

    expect(verdict).toEqual({ type: "let-go", because: "completed", confidence: "verified", why: [] });
  });
});

describe("staleness", () => {
  interface Silence {
    readonly title: string;
    readonly history?: Parameters<typeof loopOver>[1][];
    readonly ttlMs?: number;
    readonly facts: Partial<StopFacts>;
    readonly stale: boolean;
  }
  const held: LoopEvent = { type: "iteration.held", iteration: 1, sentFailure: null };
  const prompted: LoopEvent = { type: "turn.started" };

  const silences: readonly Silence[] = [
    {
      title: "the length of the turn in which the loop was opened does not count",
      facts: { now: START + 9 * HOUR, continuesHold: false },
      stale: false,
    },
    {
      title: "the length of a prompted turn does not count",
      history: [
        [MINUTE, held],
        [2 * MINUTE, prompted],
      ],
      facts: { now: START + 9 * HOUR, continuesHold: false },
      stale: false,
    },
    {
      title: "a stop that continues our hold is fresh after any time",
      history: [[MINUTE, held]],
      facts: { now: START + 9 * HOUR, continuesHold: true },
      stale: false,
    },
    {
      title: "a stop that continues our hold is fresh though the user spoke while the agent worked",
      history: [
        [MINUTE, held],
        [5 * HOUR, prompted],
      ],
      facts: { now: START + 6 * HOUR, continuesHold: true },
      stale: false,
    },
    {
      title: "silence between a hold and a prompt counts",
      history: [
        [MINUTE, held],
        [MINUTE + 2 * HOUR + 1, prompted],
      ],
      facts: { now: START + 3 * HOUR, continuesHold: false },
      stale: true,
    },
    {
      title: "silence of exactly the time to live does not count",
      history: [
        [MINUTE, held],
        [MINUTE + 2 * HOUR, prompted],
      ],
      facts: { now: START + 3 * HOUR, continuesHold: false },
      stale: false,
    },
    {
      title: "silence since a hold counts where no prompt was seen",
      history: [[MINUTE, held]],
      facts: { now: START + MINUTE + 2 * HOUR + 1, continuesHold: false },
      stale: true,
    },
    {
      title: "a clock that was a day back for one hold is no silence",
      history: [
        [MINUTE, held],
        [-24 * HOUR, { ...held, iteration: 2 }],
      ],
      facts: { now: START + 2 * MINUTE, continuesHold: false },
      stale: false,
    },
    {
      title: "a known wait does not count",
      history: [
        [MINUTE, { type: "wait.began", what: "awaiting-user" }],
        [20 * HOUR, prompted],
      ],
      facts: { now: START + 21 * HOUR, continuesHold: false },
      stale: false,
    },
    {
      title: "a known wait ends with the next hold",
      history: [
        [MINUTE, { type: "wait.began", what: "background-work" }],
        [HOUR, held],
        [4 * HOUR, prompted],
      ],
      facts: { now: START + 4 * HOUR, continuesHold: false },
      stale: true,
    },
    {
      title: "the time after a frame was pushed within the turn does not count",
      history: [
        [MINUTE, held],
        [2 * MINUTE, prompted],
        [3 * MINUTE, { type: "frame.pushed", goal: goal(), by: "agent" }],
      ],
      facts: { now: START + 9 * HOUR, continuesHold: false },
      stale: false,
    },
    {
      title: "silence before the loop was continued does not count",
      history: [
        [MINUTE, { type: "loop.paused", reason: "user", detail: null, by: "person" }],
        [
          20 * HOUR,
          {
            type: "loop.continued",
            addedUsd: null,
            addedIterations: null,
            addedTokens: null,
            addedMinutes: null,
            by: "person",
          },
        ],
      ],
      facts: { now: START + 29 * HOUR, continuesHold: false },
      stale: false,
    },
    {
      title: "silence before the loop was bound to this session does not count",
      history: [[20 * HOUR, { type: "session.bound", binding: { session: SESSION, host: "codex" } }]],
      facts: { now: START + 29 * HOUR, continuesHold: false },
      stale: false,
    },
    {
      title: "the loop's own time to live is the measure",
      history: [
        [MINUTE, held],
        [3 * MINUTE, prompted],
      ],
      ttlMs: MINUTE,
      facts: { now: START + 4 * MINUTE, continuesHold: false },
      stale: true,
    },
  ];

  test.each(silences.map((each) => [each.title, each] as const))("%s", (_, silence) => {
    const { history = [], ttlMs = DEFAULT_LIMITS.ttlMs, facts, stale } = silence;
    const loop = loopOver(
      { limits: { ...DEFAULT_LIMITS, ttlMs } },
      ...history.filter((each) => each !== undefined),
    );
    const { verdict } = settle(loop, stopFacts(facts));

    expect(verdict).toMatchObject(
      stale ? { because: "paused", reason: "stale" } : { type: "hold", because: "unfinished" },
    );
  });

  test("the pause says how long the silence was", () => {
    const loop = loopOver({}, [MINUTE, held], [MINUTE + 3 * HOUR, prompted]);
    const { verdict } = settle(loop, stopFacts({ now: START + 9 * HOUR, continuesHold: false }));

    expect(verdict).toMatchObject({ detail: "silent for 180 minutes before this turn" });
  });
});

describe("what is asked for", () => {
  test("nothing, while the agent works and claims nothing", () => {
    expect(settle(working, stopFacts()).asked).toEqual([]);
  });

  test("the tree, when no tool was used, to tell progress from standstill", () => {
    expect(settle(working, stopFacts({ toolUses: 0 })).asked).toEqual([{ type: "tree" }]);
    expect(settle(working, stopFacts({ toolUses: null })).asked).toEqual([{ type: "tree" }]);
  });

  test("no tree, when nobody counts standstill", () => {
    const loop = loopWith({ limits: { ...DEFAULT_LIMITS, noProgress: 0 } });

    expect(settle(loop, stopFacts({ toolUses: 0 })).asked).toEqual([]);
  });

  test("the must-nots first, then the tree, then the checks that are missing, then the proofs", () => {
    const loop = loopWith({
      mustNots: [{ kind: "path", glob: "db/**" }],
      goal: { criteria: [checked("lint"), checked("tests")] },
    });

    expect(settle(loop, stopFacts({ said: DONE })).asked).toEqual([
      { type: "must-nots" },
      { type: "tree" },
      { type: "checks", names: ["lint", "tests"] },
      // A check may change what must not be changed.
      { type: "must-nots" },
      { type: "proofs" },
      // And so may a check that is run once more.
      { type: "must-nots" },
    ]);
  });

  test("no check before the rest of the rule is satisfied", () => {
    const loop = loopWith({ goal: { criteria: [checked("tests"), unchecked("docs read well")] } });
    const { asked, verdict } = settle(loop, stopFacts({ said: DONE }));

    expect(asked).toEqual([]);
    expect(verdict).toMatchObject({ type: "hold", reason: { unattested: ["docs read well"] } });
  });

  test("nothing is written down while something is asked for", () => {
    const decision = decide({ type: "loop", loop: working }, stopFacts({ said: DONE }));

    expect(decision).toEqual({ type: "needs", needs: [{ type: "tree" }] });
  });

  test("no loop of another session, and no disabled hook, asks for anything", () => {
    const loop = loopWith(opening({ mustNots: [{ kind: "path", glob: "**" }] }));
    const all = { said: DONE, toolUses: 0 };

    expect(settle(loop, stopFacts({ ...all, session: sessionId("other") })).asked).toEqual([]);
    expect(settle(loop, stopFacts({ ...all, disabled: true })).asked).toEqual([]);
    expect(settle(loop, stopFacts({ ...all, stop: "subagent" })).asked).toEqual([]);
  });
});
