import { expect, test } from "vitest";
import type { Task } from "../core/loop.ts";
import { lintPlan } from "./lint-plan.ts";
import { draftOfTaskList, listedId } from "./task-list-plan.ts";

function listed(id: string, fields: Partial<Task> = {}, description = "") {
  const task: Task = {
    id,
    subject: `subject of ${id}`,
    status: "pending",
    blockedBy: [],
    wave: null,
    attempts: 0,
    ...fields,
  };
  return { task, description };
}

test("a task list is a plan: numbers become ids, and descriptions say the checks", () => {
  const draft = draftOfTaskList([
    listed("1", { status: "completed" }),
    listed(
      "2",
      { subject: "Add ValidationError import" },
      "Add import to src/auth.ts. Verify: grep 'ValidationError' src/auth.ts",
    ),
    listed("4", { status: "in_progress", blockedBy: ["1", "2", "3"] }, "Verify: npm test\nestimate: 5m"),
  ]);
  expect(lintPlan(draft)).toEqual([]);
  expect(draft).toMatchObject({ source: "task-list", done: [{ id: "T-001" }] });
  expect(draft.tasks).toEqual([
    {
      id: "T-002",
      line: 2,
      subject: "Add ValidationError import",
      description: "Add import to src/auth.ts.",
      verify: { command: "grep 'ValidationError' src/auth.ts", line: 2 },
      blockers: [],
      files: [],
      estimateMs: null,
    },
    {
      id: "T-004",
      line: 4,
      subject: "subject of 4",
      description: "",
      verify: { command: "npm test", line: 4 },
      // What has left the list, 3, blocks nobody.
      blockers: [
        { id: "T-001", line: 4 },
        { id: "T-002", line: 4 },
      ],
      files: [],
      estimateMs: 300_000,
    },
  ]);
  expect(draft.tasks.map(({ id }) => listedId(id))).toEqual(["2", "4"]);
});
