import { expect, test } from "vitest";
import { checked, loopWith, task } from "../../test/support/loop-builders.ts";
import type { LoopEvent } from "../core/event.ts";
import type { Loop, Task } from "../core/loop.ts";
import { iterationLine, pausedText, resumeAnnouncement, startingLine } from "./loop-lines.ts";
import { nextAction } from "./next-action.ts";
import { progressView } from "./files/progress.ts";

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

test("their subjects are data in it", () => {
  expect(progressView(byTasks(listed("4", "# Boo\n- [x] **all**", "pending")))).toContain(
    "\n- [ ] \\# Boo - \\[x\\] \\*\\*all\\*\\*\n",
  );
});

test("a session that resumes is told them, and which one is next", () => {
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

test("the lines of a run count them, too", () => {
  expect(startingLine(byTasks())).toContain(" | Tasks: 3 | ");
  expect(iterationLine(byTasks())).toMatch(/ \| Step: Fill$/);
  const paused = byTasks({ type: "loop.paused", reason: "user", detail: null, by: "person" });
  expect(paused.phase === "paused" && pausedText(paused)).toContain(
    "\nProgress: 1 tasks complete, 2 remaining\n",
  );
});

test("a loop by criteria counts its steps, whatever its agent listed", () => {
  const loop = loopWith({ goal: { steps: ["one", "two"], criteria: [checked("tests")] } }, ...TASKS);
  expect(progressView(loop)).toContain("- Steps: 0/2 complete\n- Criteria: 0/1 met\n");
  expect(nextAction(loop, ["tests"])).toBe("one");
});
