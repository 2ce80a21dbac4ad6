import { expect, test } from "vitest";
import type { LoopEvent } from "../core/events/event.ts";
import type { Loop } from "../core/loop/loop.ts";
import { loopWith } from "../../test/support/loop-builders.ts";
import {
  adopted,
  branchBegun,
  done,
  failed,
  finished,
  mergeBegun,
  merged,
  planned,
  started,
} from "../../test/support/workflow-builders.ts";
import {
  counselGiven,
  finding,
  gateJudged,
  resolved,
  stagesBegun,
  waveReviewed,
  workReviewed,
} from "../../test/support/stage-builders.ts";
import { EVERY_TASK } from "../core/stages/stages.ts";
import { gateLine } from "./review.ts";
import { pausedText, resumeAnnouncement, startingLine } from "./loop-lines.ts";
import { completeText, type CompletedLoop } from "./completion.ts";
import { nextAction } from "./next-action.ts";
import { progressView } from "./files/progress.ts";
import { statusView } from "./status.ts";
import { earlierWavesLine, waveDoneLine, wavesText } from "./plan.ts";

const PLAN = adopted([
  planned("T-1"),
  planned("T-2"),
  planned("T-3", ["T-1", "T-2"]),
  planned("T-4", [], { check: null }),
]);

function workflow(...events: readonly LoopEvent[]): Loop {
  return loopWith({ goal: { exitRule: "tasks", spec: "Validate tokens" } }, PLAN, branchBegun, ...events);
}

const HALF = [...done("T-1", 1), started("T-2"), failed("T-2"), started("T-2", 2), finished("T-2", 2)];

test("a plan begins with its tasks, and counts none that only checks the whole", () => {
  const whole = adopted([planned("T-1"), planned("T-2"), planned("END-1", ["T-1", "T-2"])]);
  expect(startingLine(loopWith({ goal: { exitRule: "tasks" } }, whole))).toContain(
    " | Tasks: 2 and the plan's own checks | ",
  );
  expect(startingLine(workflow())).toBe("[LOOP] Starting | Shape: Tool (8/10) | Tasks: 4 | Budget: $25");
});

test("PROGRESS.md has the tasks by how far they are, with waves and what each waits for", () => {
  const loop = workflow(
    { type: "wave.begun", wave: 1 },
    ...done("T-1", 1),
    started("T-2"),
    failed("T-2"),
    started("T-2", 2),
  );
  expect(progressView(loop)).toBe(`# Loop Progress: Validate tokens

**Status:** Wave 1 of 2 | Iteration 2 | Cost: $0/$25

## ✅ Completed (Wave 1)
- [x] T-1: Do T-1

## 🔄 In Progress (Wave 1)
- [ ] T-2: Do T-2 (assigned to codex, attempt 2; the attempt failed: the tests fail)

## ⏳ Pending (Waves 1–2)
- [ ] T-3: Do T-3 (blocked by T-2)
- [ ] T-4: Do T-4

## 📊 Metrics
- Tasks: 1/4 complete
- Stuck count: 1
- Setbacks: 1
- Branch: loop/fix-a1b2
`);
});

test("PROGRESS.md says whether counsel was consulted, and what reviews and gate came to", () => {
  const events = [counselGiven("T-2", 1), waveReviewed(1), workReviewed(1, { findings: [finding("F-1")] })];
  const loop = loopWith({ goal: { exitRule: "tasks" } }, stagesBegun, PLAN, branchBegun);
  const judged = loopWith(
    { goal: { exitRule: "tasks" } },
    stagesBegun,
    PLAN,
    ...events,
    gateJudged(1, false),
  );
  expect(progressView(loop)).toContain("- Counsel consulted: No\n- Reviews: none\n- Setbacks");
  expect(progressView(judged)).toContain(
    "- Counsel consulted: Yes\n- Reviews: wave 1: 7/10, thorough: 1 blocker left\n- Gate: shut\n",
  );
});

test("a paused plan counts tasks", () => {
  const loop = workflow(...HALF, { type: "loop.paused", reason: "user", detail: null, by: "person" });
  if (loop.phase !== "paused") throw new Error("not paused");
  expect(pausedText(loop)).toBe(
    "[LOOP] ⏸ Paused: user\nProgress: 1 task complete, 3 remaining\nResume: loop continue",
  );
});

test.each<[string, readonly LoopEvent[], string]>([
  ["what can start", [], "start T-1, T-2: loop task claim T-1 T-2"],
  ["what runs", [started("T-1")], "finish T-1: loop task claim T-1"],
  ["what is merged, before what runs", HALF, "merge T-2"],
])("what is next is %s", (_, events, expected) => {
  expect(nextAction(workflow(...events), [])).toBe(expected);
});

test("an open plan is announced with its stage, tasks and wave", () => {
  const loop = workflow({ type: "wave.begun", wave: 1 }, ...done("T-1", 1));
  expect(resumeAnnouncement(loop, [])).toBe(
    "[LOOP RESUME] Active loop detected\nStage: executing | Spec: 8/10 | Fit: 45\nProgress: 1/4 tasks | Wave: 1\nReviews: none\nNext: start T-2, T-4: loop task claim T-2 T-4",
  );
});

const ALL = [
  ...HALF,
  mergeBegun(2, "T-2"),
  merged(2, "T-2"),
  ...done("T-3", 3),
  started("T-4"),
  { ...finished("T-4"), confidence: "unverified" },
  mergeBegun(4, "T-4"),
  merged(4, "T-4"),
] as const;

test("a completion lists the tasks with their marks, where the work is, and a verdict", () => {
  const loop = workflow(
    ...ALL,
    {
      type: "work.delivered",
      delivery: { how: "left", why: "main has other commits. Take it with: git merge loop/fix-a1b2" },
    },
    { type: "loop.completed", confidence: "unverified", why: [], changed: null },
  );
  expect(completeText(loop as CompletedLoop)).toBe(`<loop-complete>
All tasks done, some unverified:
- T-1: ✓ Do T-1
- T-2: ✓ Do T-2 (after 1 setback)
- T-3: ✓ Do T-3
- T-4: ○ Do T-4 (unverified)

The work is on the branch loop/fix-a1b2: main has other commits. Take it with: git merge loop/fix-a1b2

╭─ 🟡 MONITOR ────────────────────────────────────────────╮
│ Verified: not all of it                                 │
│ Tasks: 4/4 complete                                     │
│ Confidence: unverified                                  │
├─────────────────────────────────────────────────────────┤
│ ↳ Alt: try T-4 by hand (Do T-4)                         │
│ ↳ Risk: nothing shows that T-4 is done: it has no check │
╰─────────────────────────────────────────────────────────╯
</loop-complete>`);
});

test("work of which less than half is shown needs research", () => {
  const unshown = (task: string, sequence: number): readonly LoopEvent[] => [
    started(task),
    { ...finished(task), confidence: "unverified" },
    mergeBegun(sequence, task),
    merged(sequence, task),
  ];
  const loop = workflow(
    ...unshown("T-1", 1),
    ...unshown("T-2", 2),
    ...unshown("T-3", 3),
    ...done("T-4", 4),
    { type: "work.delivered", delivery: { how: "left", why: "main has other commits." } },
    { type: "loop.completed", confidence: "unverified", why: [], changed: null },
  );
  expect(completeText(loop as CompletedLoop)).toContain("🔴 RESEARCH");
});

test("the risk of work without some of its tasks is that they were left out, and not that they have no check", () => {
  const loop = workflow(
    ...done("T-1", 1),
    ...done("T-2", 2),
    ...done("T-3", 3),
    { type: "task.skipped", task: "T-4", why: "given up", by: "person" },
    { type: "work.delivered", delivery: { how: "left", why: "main has other commits." } },
    { type: "loop.completed", confidence: "unverified", why: [], changed: null },
  );
  expect(completeText(loop as CompletedLoop)).toContain("Risk: T-4 was left out");
});

test("a completion that isn't verified says why, and which tasks it is about", () => {
  const why = ["T-1 is weak: its check is flaky", "look.sh was changed"];
  const loop = workflow(
    ...ALL,
    { type: "check.wavered", check: "T-1" },
    { type: "loop.completed", confidence: "weak", why, changed: null },
  );
  const text = completeText(loop as CompletedLoop);
  expect(text).toContain("- T-1: ✓ Do T-1 (weak)\n");
  expect(text).toContain("\n\nWhy it is weak:\n- T-1 is weak: its check is flaky\n- look.sh was changed\n\n");
});

test("the completion of a task list lists its tasks, too", () => {
  const task = { id: "1", subject: "Add the schema", blockedBy: [], wave: null, attempts: 0 };
  const loop = loopWith(
    { goal: { exitRule: "tasks", criteria: [] } },
    { type: "task.recorded", task: { ...task, status: "completed" } },
    { type: "loop.completed", confidence: "unverified", why: [], changed: null },
  );
  expect(completeText(loop as CompletedLoop)).toBe(`<loop-complete>
All tasks done, unverified: there were no criteria to verify.
- 1: ✓ Add the schema
</loop-complete>`);
});

const SHIPPED = [
  ...done("T-1", 1),
  ...done("T-2", 2),
  ...done("T-3", 3),
  ...done("T-4", 4),
  { type: "loop.completed", confidence: "verified", why: [], changed: null },
] as const;
const boxOf = (...events: readonly LoopEvent[]): string => {
  const goal = { exitRule: "tasks" } as const;
  return completeText(
    loopWith({ goal }, stagesBegun, PLAN, branchBegun, ...events, ...SHIPPED) as CompletedLoop,
  );
};

test("a completion names the review, and the first thing to look at", () => {
  const warned = workReviewed(1, { score: 9, findings: [finding("F-1", { severity: "WARNING" })] });
  const blocked = workReviewed(1, { findings: [finding("F-1")] });
  const quiet = { ...gateJudged(1), survivors: [], items: [] };

  expect(boxOf(quiet)).toContain("│ Review: none ");
  expect(boxOf(quiet)).toContain("↳ Risk: what no check looks at");
  expect(boxOf(warned, quiet)).toContain("│ Review: passed, 9/10 in round 1, 1 smaller finding ");
  expect(boxOf(warned, quiet)).toContain("↳ Risk: src/cart.js: The total is always 3.");
  expect(boxOf(warned, gateJudged(1))).toContain("↳ Risk: no check notices src/cart.js:3 (+ becomes -)");
  const accepted = [blocked, resolved(1, "F-1", { how: "approved" })];
  expect(boxOf(...accepted, gateJudged(1))).toContain(
    "↳ Risk: blocker accepted in src/cart.js: The total is always 3.",
  );
  const weak = { name: "edge cases tried", state: "weak", detail: "no test was added" } as const;
  expect(boxOf({ ...quiet, items: [weak] })).toContain(
    "↳ Risk: not shown: edge cases tried (no test was added)",
  );
  const unasked = workReviewed(1, { agent: null, failure: "the rehearsal has no review-1.json" });
  expect(boxOf(unasked, quiet)).toContain("│ Review: none (the rehearsal has no review-1.json) ");
  const failed = workReviewed(1, { failure: "no JSON" });
  expect(boxOf(failed, quiet)).toContain("│ Review: no usable answer (no JSON) ");
});

const PAUSED: LoopEvent = { type: "loop.paused", reason: "user", detail: null, by: "person" };

test.each<[string, readonly LoopEvent[], boolean]>([
  ["paused", [PAUSED], false],
  ["cancelled", [{ type: "loop.cancelled", by: "person" }], false],
  ["active, with a run that was killed", [], true],
])("nothing of a plan is running that is %s", (_, events, isGone) => {
  const loop = workflow({ type: "wave.begun", wave: 1 }, started("T-1"), ...events);
  expect(statusView(loop, null, isGone).isGone).toBe(isGone);
  expect(statusView(loop, null, isGone).workflow).toMatchObject({
    counts: { running: 0, stopped: 1 },
    tasks: [{ id: "T-1", state: "stopped", agent: null, startedAt: null }, {}, {}, {}],
  });
});

test("PROGRESS.md of a paused plan has nothing in progress", () => {
  const text = progressView(workflow({ type: "wave.begun", wave: 1 }, started("T-1"), PAUSED));
  expect(text).toContain("- [ ] T-1: Do T-1 (attempt 1 stopped)");
  expect(text).not.toContain("In Progress");
});

test("a result that waits for its merge goes on waiting in a paused plan, and not in a cancelled one", () => {
  const begun = [started("T-1"), finished("T-1")];
  const stateIn = (event: LoopEvent): string | undefined =>
    statusView(workflow(...begun, event), null).workflow?.tasks[0]?.state;
  expect(stateIn(PAUSED)).toBe("merging");
  expect(stateIn({ type: "loop.cancelled", by: "person" })).toBe("stopped");
});

test("only a wave of which nothing was given up is complete", () => {
  const begun = [{ type: "wave.begun", wave: 1 }, ...done("T-1", 1), ...done("T-2", 2)] as const;
  const last: LoopEvent = { type: "task.given-up", task: "T-4", why: "" };
  expect(waveDoneLine(workflow(...begun, ...done("T-4", 3)), 1)).toBe(
    "[LOOP] ✓ Wave 1 complete | Progress: 3/4",
  );
  expect(waveDoneLine(workflow(...begun, last), 1)).toBe(
    "[LOOP] ✗ Wave 1 ended, 1 of 3 tasks given up | Progress: 2/4",
  );
});

test("a wave that begins beside an earlier one says what goes on there", () => {
  const begun = [...done("T-1", 1), ...done("T-2", 2), started("T-4")] as const;
  expect(earlierWavesLine(workflow(...begun), 2)).toEqual([
    "  A task begins as soon as those that it waits for are done; earlier waves go on with T-4.",
  ]);
  expect(earlierWavesLine(workflow(...begun), 1)).toEqual([]);
  const givenUp: LoopEvent = { type: "task.given-up", task: "T-4", why: "" };
  expect(earlierWavesLine(workflow(...begun.slice(0, -1), givenUp), 2)).toEqual([]);
  expect(earlierWavesLine(workflow(...begun.slice(0, -1), ...done("T-4", 3)), 2)).toEqual([]);
});

test("a plan that has not begun says how many waves it has", () => {
  expect(wavesText(0, 2)).toBe("2 waves, none begun");
  expect(wavesText(1, 2)).toBe("wave 1 of 2");
  expect(progressView(workflow(PAUSED))).toContain("**Status:** Paused: user | 2 waves, none begun |");
});

test("status --json has the plan beside the tasks", () => {
  const { workflow: plan, tasks, stage } = statusView(workflow(...HALF), null);
  expect(stage).toBe("executing");
  expect(tasks[1]).toEqual({
    id: "T-2",
    subject: "Do T-2",
    status: "in_progress",
    blockedBy: [],
    wave: 1,
    attempts: 2,
  });
  expect(plan).toMatchObject({
    branch: "loop/fix-a1b2",
    userBranch: "main",
    waves: 2,
    counts: { done: 1, merging: 1, ready: 1, blocked: 1, running: 0, "given-up": 0 },
    delivered: null,
    tasks: [
      { id: "T-1", state: "done", confidence: "verified", setbacks: 0, setback: null },
      { id: "T-2", state: "merging", attempts: 2, setbacks: 1, setback: { kind: "failed" } },
      { id: "T-3", state: "blocked", waitsFor: ["T-2"] },
      { id: "T-4", state: "ready", waitsFor: [] },
    ],
  });
  expect(statusView(loopWith({}), null).workflow).toBeNull();
});

test("the gate names what it saw, and what it didn't, so that no name reads as a fact", () => {
  const items = [
    { name: "runs without errors", state: "met", detail: null },
    { name: "edge cases tried", state: "weak", detail: "no test was added" },
    { name: "must-nots hold", state: "open", detail: "docs/a.md was changed" },
  ] as const;
  expect(gateLine({ ...gateJudged(1, false), items })).toBe(
    "[LOOP] Gate: shut | 1 of 3 shown | not shown: edge cases tried | refuted: must-nots hold",
  );
  const lacking = [{ name: EVERY_TASK, state: "weak", detail: "T-1 is unverified" }] as const;
  expect(gateLine({ ...gateJudged(1), items: lacking })).toBe(
    `[LOOP] Gate: passed, but not every task is verified | 0 of 1 shown | not shown: ${EVERY_TASK}`,
  );
});
