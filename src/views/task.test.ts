import { expect, test } from "vitest";
import { evolve } from "../core/events/evolve.ts";
import { MINUTE, loopOver, loopWith, shellCheck, task, checked } from "../../test/support/loop-builders.ts";
import type { LoopEvent } from "../core/events/event.ts";
import { createLoopId } from "../core/loop/id.ts";
import type { Loop, Task } from "../core/loop/loop.ts";
import type { PlannedTask } from "../core/plan/plan.ts";
import { taskDetails, taskViews, type TaskDetails } from "./task.ts";
import { iterationLine, pausedText, resumeAnnouncement, startingLine } from "./loop-lines.ts";
import { nextAction } from "./next-action.ts";
import { progressView } from "./files/progress.ts";

function planned(id: string, part: Partial<PlannedTask> = {}): PlannedTask {
  return {
    id,
    subject: `subject of ${id}`,
    description: "",
    check: shellCheck("npm test"),
    proposed: null,
    blockedBy: [],
    files: [],
    estimateMs: null,
    ...part,
  };
}

const ADOPTED: LoopEvent = {
  type: "plan.adopted",
  plan: {
    source: "file",
    tasks: [
      planned("T-001", { description: "Dig deep.", files: ["src/**"], estimateMs: MINUTE }),
      planned("T-002", { check: null, proposed: "rm -rf x", blockedBy: ["T-001"] }),
      planned("T-003"),
    ],
  },
  parallel: 2,
  attemptLimit: 3,
  attemptUsd: null,
};

function started(number: number): LoopEvent {
  const loop = createLoopId("an attempt", `b${number}`);
  const common = {
    base: null,
    worktree: null,
    slot: 0,
    agent: "codex",
    reservedUsd: null,
    reservedTokens: null,
  } as const;
  return { type: "attempt.started", task: "T-001", number, loop, ...common };
}

const SET_BACK: LoopEvent = {
  type: "attempt.set-back",
  task: "T-001",
  number: 1,
  setback: { kind: "failed", detail: "npm test failed", carry: null, failing: [] },
};

const workflow = loopOver(
  { goal: { exitRule: "tasks" } },
  [0, ADOPTED],
  [MINUTE, started(1)],
  [2 * MINUTE, SET_BACK],
  [3 * MINUTE, started(2)],
  [4 * MINUTE, { type: "task.given-up", task: "T-003", why: "no attempt is left" }],
);

function details(loop: Loop, id: string): TaskDetails {
  const view = taskViews(loop).find((each) => each.id === id);
  if (view === undefined) throw new Error(`no task ${id}`);
  return taskDetails(loop, view);
}

test("the tasks of a plan have the state that the scheduler sees, with wave, attempts and blockers", () => {
  expect(taskViews(workflow)).toMatchObject([
    { id: "T-001", state: "running", status: "in_progress", wave: 1, attempts: 2, blockedBy: [] },
    { id: "T-002", state: "blocked", status: "pending", wave: 2, attempts: 0, blockedBy: ["T-001"] },
    { id: "T-003", state: "given-up", wave: 1, attempts: 0 },
  ]);
});

test.each<[string, Loop, boolean]>([
  ["paused", evolve(workflow, { type: "loop.paused", reason: "user", detail: null, by: "person" }, 0), false],
  ["cancelled", evolve(workflow, { type: "loop.cancelled", by: "person" }, 0), false],
  ["driven by a run that was killed", workflow, true],
])("nobody works on the tasks of a plan that is %s", (_, loop, isGone) => {
  const [first] = taskViews(loop, isGone);
  expect(first).toMatchObject({ id: "T-001", state: "stopped", attempts: 2, check: "npm test" });
  if (first === undefined) return;
  expect(taskDetails(loop, first).history).toMatchObject([
    { state: "set-back", isStopped: false },
    { state: "running", isStopped: true },
  ]);
});

test("one task has its text, its check or what was proposed as one, and what its attempts came to", () => {
  expect(details(workflow, "T-001")).toMatchObject({
    description: "Dig deep.",
    check: "npm test",
    proposed: null,
    files: ["src/**"],
    estimateMs: MINUTE,
    history: [
      {
        number: 1,
        agent: "codex",
        state: "set-back",
        detail: "failed: npm test failed",
        setback: "failed",
        summary: "npm test failed",
        startedAt: "2026-01-05T09:01:00.000Z",
        endedAt: "2026-01-05T09:02:00.000Z",
      },
      { number: 2, state: "running", detail: null, endedAt: null },
    ],
  });
  expect(details(workflow, "T-002")).toMatchObject({ check: null, proposed: "rm -rf x", history: [] });
});

test("the tasks of an agent's own list get their wave from their blockers, unless these go round in a circle", () => {
  const blocked = (id: string, ...blockedBy: readonly string[]): LoopEvent => {
    const { task: one, ...event } = task(id, "pending");
    return { ...event, task: { ...one, wave: null, blockedBy } };
  };
  const listed = { goal: { exitRule: "tasks" } } as const;
  expect(taskViews(loopWith(listed, blocked("1"), blocked("2", "1", "9")))).toMatchObject([
    { wave: 1, state: "ready" },
    { wave: 2, state: "blocked" },
  ]);
  expect(taskViews(loopWith(listed, blocked("1", "2"), blocked("2", "1")))).toMatchObject([
    { wave: null, state: "blocked" },
    { wave: null, state: "blocked" },
  ]);
});

function listed(id: string, subject: string, status: Task["status"], ...blockedBy: string[]): LoopEvent {
  const event = task(id, status);
  return { ...event, task: { ...event.task, subject, blockedBy } };
}

const TASKS = [
  listed("1", "Dig", "completed"),
  listed("2", "Rest", "pending", "3"),
  listed("3", "Fill", "pending", "1"),
];

/** A loop by an agent's own list, of which one of three tasks is done. */
function byTasks(...events: readonly LoopEvent[]): Loop {
  return loopWith({ goal: { exitRule: "tasks", spec: "Dig and fill" } }, ...TASKS, ...events);
}

test("PROGRESS.md lists an agent's own tasks by how far they are, and counts them", () => {
  expect(progressView(byTasks(listed("4", "Rake", "in_progress")))).toBe(`# Loop Progress: Dig and fill

**Status:** Active | Iteration 0 | Cost: $0/$25

## ✅ Completed
- [x] Dig

## 🔄 In Progress
- [ ] Rake

## ⏳ Pending
- [ ] Fill
- [ ] Rest

## 📊 Metrics
- Tasks: 1/4 complete
- Stuck count: 0
`);
});

test("the subjects of an agent's tasks are data in PROGRESS.md", () => {
  expect(progressView(byTasks(listed("4", "# Boo\n- [x] **all**", "pending")))).toContain(
    "\n- [ ] \\# Boo - \\[x\\] \\*\\*all\\*\\*\n",
  );
});

test("a session that resumes is told its agent's tasks, and which one is next", () => {
  expect(resumeAnnouncement(byTasks(), [])).toContain(
    '\nSpec: Dig and fill\nProgress: 1/3 tasks | Iteration: 0\nPending tasks: Fill, Rest\nNext: complete "Fill"',
  );
  const withCheck = loopWith({ goal: { exitRule: "tasks", criteria: [checked("tests")] } }, ...TASKS);
  expect(resumeAnnouncement(withCheck, ["tests"])).toContain(
    "\nPending tasks: Fill, Rest\nUnmet criteria: tests\n",
  );
});

test.each<[string, readonly LoopEvent[], string]>([
  ["what is at work", [listed("2", "Rest", "in_progress")], 'complete "Rest"'],
  ["what nothing blocks", [], 'complete "Fill"'],
  ["the end", [listed("2", "Rest", "completed"), listed("3", "Fill", "completed")], "finish, then say so"],
])("next is %s", (_, events, next) => {
  expect(nextAction(byTasks(...events), [])).toBe(next);
});

test.each<[string, readonly string[], readonly string[], string]>([
  ["a planned step", ["one"], ["tests"], "one"],
  ["what the agent would do, in one line", [], ["tests"], "Fix the parser"],
  ["the agent's word that it is done, once all is met", [], [], "loop run --loop"],
])("next in a loop by criteria is %s", (_, steps, unmet, next) => {
  const said: LoopEvent = { type: "next.said", text: "Fix \u001b[2Jthe\nparser" };
  const loop = loopWith({ goal: { steps, criteria: [checked("tests")] }, binding: null }, said);
  expect(nextAction(loop, unmet)).toContain(next);
  expect(resumeAnnouncement(loop, unmet)).toContain(`\nNext: ${next}`);
});

test("the lines of a run count an agent's own tasks, too", () => {
  expect(startingLine(byTasks())).toContain(" | Tasks: 3 | ");
  expect(iterationLine(byTasks())).toMatch(/ \| Step: Fill$/);
  const paused = byTasks({ type: "loop.paused", reason: "user", detail: null, by: "person" });
  expect(paused.phase === "paused" && pausedText(paused)).toContain(
    "\nProgress: 1 task complete, 2 remaining\n",
  );
});

test("a loop by criteria counts its steps, whatever its agent listed", () => {
  const loop = loopWith({ goal: { steps: ["one", "two"], criteria: [checked("tests")] } }, ...TASKS);
  expect(progressView(loop)).toContain("- Steps: 0/2 complete\n- Criteria: 0/1 met\n");
  expect(nextAction(loop, ["tests"])).toBe("one");
});
