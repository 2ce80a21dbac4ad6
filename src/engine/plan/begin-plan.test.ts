import { expect, test } from "vitest";
import type { PlannedTask } from "../../core/plan/plan.ts";
import { planAdopted } from "./drive-workflow.ts";

const task = (id: string): PlannedTask => ({
  id,
  subject: id,
  description: "",
  check: null,
  proposed: null,
  blockedBy: [],
  files: [],
  estimateMs: null,
});

test("the criteria of the whole job wait for every task and not for each other, so they are one wave", () => {
  const criteria = ["tests pass", "types check"].map((name) => ({ name, check: null }));
  const plan = { source: "file" as const, tasks: [task("T-001"), task("T-002")] };
  const adopted = planAdopted(plan, { criteria, parallel: 2, iterationLimit: null });

  expect(adopted.plan.tasks.slice(2)).toMatchObject([
    { id: "END-1", subject: "tests pass", blockedBy: ["T-001", "T-002"] },
    { id: "END-2", subject: "types check", blockedBy: ["T-001", "T-002"] },
  ]);
});
