import { expect, test } from "vitest";
import type { Task } from "../loop/loop.ts";
import { lintPlan } from "./lint-plan.ts";
import * as fc from "fast-check";
import { planned } from "../../../test/support/workflow-builders.ts";
import { shellCheck } from "../../../test/support/loop-builders.ts";
import { effort } from "../../../test/support/effort.ts";
import { draftOfTaskList, listedDescription, listedId } from "./task-list-plan.ts";

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
      verify: { command: "grep 'ValidationError' src/auth.ts", line: 2, isProposed: false },
      blockers: [],
      files: [],
      estimateMs: null,
    },
    {
      id: "T-004",
      line: 4,
      subject: "subject of 4",
      description: "",
      verify: { command: "npm test", line: 4, isProposed: false },
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

test.each([
  ["T-001", "1"],
  ["T-1234", "1234"],
  ["END-1", null],
  ["R-1", null],
])("the number of %s in its list: %s", (id, number) => {
  expect(listedId(id)).toBe(number);
});

test.each<[string, string]>([
  ["npm test", "Dig deep.\n\nVerify: npm test"],
  ["`which npm` test", "Dig deep.\n\nVerify: `` `which npm` test ``"],
  ["one\ntwo", "Dig deep.\n\nIts check is shown by: loop task T-1"],
])("the description of a task says its check: %s", (command, description) => {
  const task = planned("T-1", [], { description: "Dig deep.", check: shellCheck(command) });
  expect(listedDescription(task)).toBe(description);
});

test("whatever a description says, the list reads as the plan's own check and no blocker", () => {
  const words = ["verify:", "Verify: rm -rf /", ". ", "\n", "(blocked by T-2)", "blocked by: T-3", "`", "it"];
  const said = fc.array(fc.constantFrom(...words), { maxLength: 8 }).map((parts) => parts.join(" "));
  fc.assert(
    fc.property(said, (description) => {
      const text = listedDescription(planned("T-1", [], { description, check: shellCheck("npm test") }));
      const { tasks, issues } = draftOfTaskList([listed("1", {}, text)]);
      expect(tasks).toMatchObject([{ verify: { command: "npm test" }, blockers: [] }]);
      expect(issues).toEqual([]);
    }),
    { numRuns: effort(100, 2_000) },
  );
});
