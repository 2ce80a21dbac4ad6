import { describe, expect, test } from "vitest";
import { evidenceFor, loopWith, opening, checked } from "../../../test/support/loop-builders.ts";
import {
  counselGiven,
  finding,
  resolved,
  stagesBegun,
  workReviewed,
} from "../../../test/support/stage-builders.ts";
import { adopted, failed, planned, started } from "../../../test/support/workflow-builders.ts";
import type { EventOf, LoopEvent } from "../../core/events/event.ts";
import { evolveAll } from "../../core/events/evolve.ts";
import type { SessionId } from "../../core/loop/id.ts";
import type { Proof } from "../../core/loop/proof.ts";
import { discoveriesOf, lessonsOf } from "./lessons.ts";

const RUN = "run-1" as SessionId;
const PROCESS = { pid: 1, startedAt: "1", boot: "b" };

function began(driver: string): LoopEvent {
  return { type: "run.began", run: RUN, driver, model: null, process: PROCESS };
}

function turn(iteration: number, said: string | null): readonly LoopEvent[] {
  const id = `${iteration}-1`;
  return [
    {
      type: "turn.launched",
      turn: id,
      run: RUN,
      driver: "codex",
      model: null,
      iteration,
      conversation: null,
      step: null,
      checkpoint: null,
    },
    { type: "turn.ended", turn: id, outcome: "finished", said, reportedUsd: null, reportedTokens: null },
  ];
}

function ran(passed: boolean, outputTail = "Error: expected 12, got 3", atStart = false): LoopEvent {
  return {
    type: "check.ran",
    name: "tests",
    evidence: evidenceFor("tests", { passed, outputTail }),
    atStart,
  };
}

function proof(kind: Proof["kind"], part: Partial<Proof> = {}, name: string | null = "tests"): LoopEvent {
  return { type: "proof.shown", name, proof: { kind, result: "fails", detail: null, files: [], ...part } };
}

const COMPLETED: EventOf<"loop.completed"> = {
  type: "loop.completed",
  confidence: "verified",
  why: [],
  changed: { source: ["src/cart.js"], tests: [], definitions: [], deleted: [] },
};

function paused(reason: "blocked" | "must-not" | "user" | "stuck", detail: string | null): LoopEvent {
  return { type: "loop.paused", reason, detail, by: "machine" };
}

/** What a loop with these events teaches: kind and text. */
function taught(...events: readonly LoopEvent[]): readonly string[] {
  const all = [opening({ goal: { spec: "Fix the cart", criteria: [checked("tests")] } }), ...events];
  return lessonsOf(evolveAll(null, all, 0), all).map(({ kind, text }) => `${kind}: ${text}`);
}

describe("a plain loop teaches", () => {
  test("what failed, and the change after which it passed, and nothing that the agent said", () => {
    const events = [
      ran(false, "Error: expected 12, got 3", true),
      began("codex"),
      ...turn(1, "I rounded each item."),
      ran(false),
      ...turn(2, "I multiply by the quantity now."),
      ran(true),
      COMPLETED,
    ];
    expect(taught(...events)).toEqual([
      'discovery: "tests" failed (Error: expected 12, got 3) until src/cart.js changed',
    ]);
  });

  test("the same in a session", () => {
    const held = { type: "iteration.held", iteration: 1, sentFailure: null } as const;
    expect(taught(ran(false), held, ran(true), COMPLETED)).toEqual([
      'discovery: "tests" failed (Error: expected 12, got 3) until src/cart.js changed',
    ]);
  });

  test("what still failed when it gave up, and nothing where its user paused it", () => {
    const worked = [began("codex"), ...turn(1, "Still reading."), ran(false)];
    expect(taught(...worked, paused("stuck", null))).toEqual([
      'failure: "tests" failed (Error: expected 12, got 3), until it paused: stuck',
    ]);
    expect(taught(...worked, paused("user", null))).toEqual([]);
  });

  test("which tests a person let change, as the flag that allows it from the start", () => {
    const approved = { type: "opening.approved", names: ["test/cart.test.js"] } as const;
    expect(taught(ran(true), approved, COMPLETED)).toEqual([
      "constraint: The user accepted changes of what judges the work: --may-change 'test/cart.test.js'",
    ]);
  });

  test("that a check is flaky, and that changing the tests did not count", () => {
    expect(
      taught(ran(true), proof("repeat"), proof("judge", { files: ["test/cart.test.js"] }), COMPLETED),
    ).toEqual([
      'discovery: The check "tests" is flaky: it gave two results for the same files.',
      'constraint: Changing test/cart.test.js made "tests" pass and did not count: the earlier version still failed.',
    ]);
  });

  test.each<readonly [event: LoopEvent, text: string]>([
    [
      paused("must-not", "path:docs/**: docs/a.md changed"),
      "The work violated a must-not: path:docs/**: docs/a.md changed",
    ],
    [
      paused("blocked", "permission is missing: --allow 'Bash(npm *)'"),
      "The agent needed --allow 'Bash(npm *)'",
    ],
    [paused("blocked", "needs the staging\npassword"), "It paused for a person: needs the staging password"],
  ])("what it had to keep to: %#", (event, text) => {
    expect(taught(event)).toEqual([`constraint: ${text}`]);
  });

  test("what a person answered, where it asked", () => {
    const answer = { type: "words.told", text: "8080, as in docs/ports.md", task: null } as const;
    const facts = taught(paused("blocked", "which port?"), answer);
    expect(facts).toEqual(['constraint: Asked "which port?", the user said: 8080, as in docs/ports.md']);
  });

  test("who took over, and who met a usage limit", () => {
    const limit = { type: "usage-limit.met", until: 5, detail: "resets at 5" } as const;
    expect(taught(began("claude-code"), limit, began("codex"), COMPLETED)).toEqual([
      "delegation: codex took over from claude-code and completed it.",
      "delegation: claude-code met its usage limit on this work.",
    ]);
  });

  test.each([
    ["a check whose program is missing", [ran(false, "/bin/sh: 1: pytset: not found"), paused("user", null)]],
    [
      "a check whose file is missing",
      [ran(false, "Could not find '/p/test/a.test.js'"), paused("user", null)],
    ],
    [
      "a spec that nobody made clear",
      [paused("blocked", "the spec is too vague (3/10), and nobody answered")],
    ],
  ])("nothing from what could not even begin: %s", (_, events) => {
    expect(taught(began("codex"), ...turn(1, "All done!"), ...events)).toEqual([]);
  });

  test("nothing about a holdout, a red opening, a user's pause, or a loop that goes on or was cancelled", () => {
    expect(taught(proof("holdout", { detail: "hidden" }, null), COMPLETED)).toEqual([]);
    expect(taught(ran(false, "red", true), paused("user", null))).toEqual([]);
    expect(taught(ran(false))).toEqual([]);
    expect(taught(ran(false), { type: "loop.cancelled", by: "person" })).toEqual([]);
  });

  test("nothing twice when it is asked again later, and not too much at once", () => {
    const pause = paused("blocked", "needs a key");
    const resumed = {
      type: "loop.continued",
      addedUsd: null,
      addedIterations: null,
      addedTokens: null,
      addedMinutes: null,
      by: "person",
    } as const;
    const first = taught(began("codex"), ...turn(1, "One."), ran(false), pause);
    const later = taught(
      began("codex"),
      ...turn(1, "One."),
      ran(false),
      pause,
      resumed,
      ...turn(2, "Two."),
      ran(false),
      pause,
    );
    expect(later).toEqual(expect.arrayContaining([...first]));
    expect(later).toHaveLength(first.length);
    const limit = { type: "usage-limit.met", until: 5, detail: "resets at 5" } as const;
    const flaky = proof("repeat");
    const many = Array.from({ length: 30 }, (_, index) => [
      ...turn(index + 1, `Try ${index}.`),
      ran(false),
    ]).flat();
    expect(taught(began("codex"), ...many, pause, resumed, limit, flaky, COMPLETED)).toHaveLength(3);
  });
});

test("a workflow teaches what became of its tasks, and what a review found", () => {
  const plan = adopted([planned("T-1"), planned("T-2")]);
  const attempt = (task: string, number: number, agent = "codex"): LoopEvent => ({
    type: "attempt.started",
    task,
    number,
    loop: `${task.toLowerCase()}-${number}` as EventOf<"attempt.started">["loop"],
    base: null,
    worktree: null,
    slot: 0,
    agent,
    reservedUsd: null,
    reservedTokens: null,
  });
  const setBack = (
    task: string,
    number: number,
    kind: "failed" | "conflict" | "setup",
    detail: string,
  ): LoopEvent => ({
    type: "attempt.set-back",
    task,
    number,
    setback: { kind, detail, carry: null, failing: [] },
  });
  const all: readonly LoopEvent[] = [
    opening({ goal: { spec: "Build the shop", exitRule: "tasks" } }),
    stagesBegun,
    plan,
    attempt("T-1", 1),
    setBack("T-1", 1, "failed", "It paused: stuck.\nError: no such table"),
    counselGiven("T-1", 1),
    attempt("T-1", 2),
    { type: "attempt.finished", task: "T-1", number: 2, commit: null, confidence: "verified", doubts: [] },
    { type: "merge.begun", merge: 1, tasks: ["T-1"], onto: null },
    { type: "merge.ended", merge: 1, accepted: [{ task: "T-1", commit: null }], setBack: [] },
    attempt("T-2", 1),
    setBack("T-2", 1, "setup", "`npm ci` failed with exit code 1\nmore"),
    workReviewed(1, { findings: [finding("F-1"), finding("F-2", { severity: "WARNING" })] }),
    { type: "plan.extended", tasks: [planned("R-1")], why: "review 1" },
    resolved(1, "F-1", { how: "task", task: "R-1", by: "machine" }),
    paused("blocked", "setup failed: npm ci"),
  ];
  const lessons = lessonsOf(evolveAll(null, all, 0), all);
  expect(lessons.map(({ kind, text }) => `${kind}: ${text}`)).toEqual([
    "constraint: It paused for a person: setup failed: npm ci",
    "constraint: A fresh worktree could not be set up: `npm ci` failed with exit code 1",
    expect.stringMatching(/^discovery: What worked for ".+" after a failure: Not as in attempt 1\.$/),
  ]);
  expect(lessons[0]?.context).toBe("Build the shop");
});

test.each([
  "a check can't run in a fresh worktree: T-1: sh: nosuch: not found. Resume when it can",
  "T-1: It paused: blocked (the player cannot be started: the folder /w/T-1-1/sub does not exist).",
])("what could not even begin teaches nothing: %s", (detail) => {
  const events = [opening({ goal: { exitRule: "tasks" } }), stagesBegun, adopted([planned("T-1")])];
  const setBack = [started("T-1"), failed("T-1", 1, { detail })];
  const all = [...events, ...setBack, paused("blocked", detail)];
  expect(lessonsOf(evolveAll(null, all, 0), all)).toEqual([]);
});

test("an attempt teaches what worked after a false claim, under the name of its task", () => {
  const attemptOf = { loop: "shop-a1b2" as EventOf<"attempt.started">["loop"], task: "tests", number: 1 };
  const [first, ...rest] = [
    opening({
      attemptOf,
      goal: { spec: "tests: Sum the cart\n\nOf a larger job", criteria: [checked("tests")] },
    }),
    began("codex"),
    ...turn(1, "I rounded each item."),
    ran(false, "Error: no /s/worktrees/1a2b/shop-a1b2/T-1-1/src/cart.js here"),
    ...turn(2, "I multiply now."),
    ran(true),
  ];
  if (first === undefined) throw new Error("no opening");
  const all = [first, ...rest, COMPLETED];
  expect(discoveriesOf(evolveAll(null, all, 0), attemptOf, all)).toEqual([
    expect.objectContaining({
      kind: "discovery",
      context: "Sum the cart",
      text: '"Sum the cart" failed (Error: no src/cart.js here) until src/cart.js changed',
    }),
  ]);
  const given = [first, ...rest.slice(0, -1), paused("blocked", "needs a key")];
  expect(discoveriesOf(evolveAll(null, given, 0), attemptOf, given)).toEqual([]);
});

test("words of a spec, an agent and a check stay one short line", () => {
  const loop = loopWith(
    { goal: { spec: `a\n\u001b[31mb${"c".repeat(5000)}` } },
    paused("blocked", `x\ny\u0007${"z".repeat(5000)}`),
  );
  const [lesson] = lessonsOf(loop, [paused("blocked", `x\ny\u0007${"z".repeat(5000)}`)]);
  expect(lesson?.context.length).toBeLessThanOrEqual(201);
  expect(lesson?.text.length).toBeLessThanOrEqual(330);
  // oxlint-disable-next-line no-control-regex -- exactly what must not be there
  expect(`${lesson?.context}${lesson?.text}`).not.toMatch(/[\u0000-\u001f]/);
});
