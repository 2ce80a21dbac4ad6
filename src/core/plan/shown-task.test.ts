import { expect, test } from "vitest";
import { loopWith } from "../../../test/support/loop-builders.ts";
import {
  adopted,
  branchBegun,
  finished,
  mergeBegun,
  merged,
  planned,
  started,
} from "../../../test/support/workflow-builders.ts";
import type { LoopEvent } from "../events/event.ts";
import type { Confidence } from "../loop/loop.ts";
import type { Workflow } from "./workflow.ts";
import { flakyMustNots, shownTask } from "./shown-task.ts";

function workflow(
  confidence: Confidence,
  doubts: readonly string[],
  ...more: readonly LoopEvent[]
): Workflow {
  const result = { ...finished("T-1"), confidence, doubts };
  const events = [branchBegun, started("T-1"), result, mergeBegun(1, "T-1"), merged(1, "T-1"), ...more];
  const loop = loopWith(
    { goal: { exitRule: "tasks" } },
    adopted([planned("T-1"), planned("T-2")]),
    ...events,
  );
  if (loop.workflow === null) throw new Error("no plan");
  return loop.workflow;
}

const wavered = (check: string): LoopEvent => ({ type: "check.wavered", check });

test.each<readonly [title: string, workflow: Workflow, confidence: Confidence, doubts: readonly unknown[]]>([
  ["as it was shown", workflow("verified", []), "verified", []],
  ["weak with a doubt", workflow("verified", ["changed since"]), "weak", ["changed since"]],
  [
    "weak with a flaky check",
    workflow("verified", [], wavered("T-1")),
    "weak",
    [expect.stringContaining("`test T-1` is flaky")],
  ],
  ["never better for a doubt", workflow("unverified", ["changed since"]), "unverified", ["changed since"]],
  ["no worse for what others have", workflow("verified", [], wavered("T-2")), "verified", []],
])("a task is %s", (_, given, confidence, doubts) => {
  expect(shownTask(given, "T-1")).toEqual({ confidence, doubts });
  expect(shownTask(given, "T-2")).toBeNull();
});

test("what wavered and is no task's is a must-not", () => {
  expect(flakyMustNots(workflow("verified", [], wavered("T-1"), wavered("run: lint")))).toEqual([
    "run: lint",
  ]);
});
