import { describe, expect, test } from "vitest";
import { adopted, failed, planned, started, workflowWith } from "../../../test/support/workflow-builders.ts";
import { START } from "../../../test/support/loop-builders.ts";
import { evolveWorkflow } from "./evolve-workflow.ts";
import { attemptsOf, lastAttempt, type Workflow } from "./workflow.ts";

const numbers = (workflow: Workflow, task: string): readonly number[] =>
  attemptsOf(workflow, task).map(({ number }) => number);

describe("attempts of a workflow that was folded twice from one moment on", () => {
  const before = workflowWith(adopted([planned("T-1"), planned("T-2")]), started("T-1"), failed("T-1"));
  const one = evolveWorkflow(before, started("T-1", 2), START);
  const other = evolveWorkflow(before, started("T-2"), START);

  test("are those of each version alone", () => {
    expect(numbers(one, "T-1")).toEqual([1, 2]);
    expect(numbers(one, "T-2")).toEqual([]);
    expect(numbers(other, "T-1")).toEqual([1]);
    expect(numbers(other, "T-2")).toEqual([1]);
    expect(numbers(before, "T-1")).toEqual([1]);
  });

  test("change in their own version alone", () => {
    const ended = evolveWorkflow(one, failed("T-1", 2), START);
    expect(lastAttempt(ended, "T-1")?.state.type).toBe("set-back");
    expect(lastAttempt(one, "T-1")?.state.type).toBe("running");
    expect(lastAttempt(before, "T-1")?.number).toBe(1);
  });
});
