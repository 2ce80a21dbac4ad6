import { expect, test } from "vitest";
import type { WorkflowTask } from "./plan.ts";
import { planVerdict } from "./verdict-box.ts";

const weak = (id: string, doubt: string): WorkflowTask =>
  ({
    id,
    subject: "Work",
    state: "done",
    confidence: "weak",
    doubts: [doubt],
    setbacks: 0,
  }) as unknown as WorkflowTask;

test("the reason of one task isn't said of others that have their own", () => {
  const [line4, line2] = ["no check notices a change of line 4", "no check notices a change of line 2"];
  const riskOf = (...tasks: readonly WorkflowTask[]): string => planVerdict("weak", tasks, null).risk;
  expect(riskOf(weak("T-1", line4), weak("T-2", line2))).toBe(
    `weak evidence for T-1, T-2 (for example, T-1: ${line4})`,
  );
  expect(riskOf(weak("T-1", line4), weak("T-2", line4))).toBe(`weak evidence for T-1, T-2: ${line4}`);
});
