import { expect, test } from "vitest";
import { expectCode, PlanStage, writes } from "./support/plan-stage.ts";
import { isFullEffort } from "./support/effort.ts";

const PLAN = `# Fix the helpers

### T-001: Fix one
verify: test -f one.txt

### T-002: Fix two
verify: true

### T-003: Fix three
`;

test.runIf(isFullEffort)("why a task isn't verified is said wherever the task is", () => {
  const stage = new PlanStage(PLAN);
  const ran = stage.work({
    "T-001": [writes("one.txt")],
    "T-002": [writes("two.txt")],
    "T-003": [writes("three.txt")],
  });
  expectCode(ran, 6);
  const lacking = "T-002 is weak: the checks pass without the work, too";
  expect(ran.out).toContain(lacking);
  expect(ran.out).toContain("T-003 is unverified: it has no check");
  expect(ran.out).toContain("↳ Risk: nothing shows that T-003 is done: it has no check");
  expect(ran.out).toContain("Gate: passed, but not every task is verified |");
  const review = stage.loop("review").out;
  expect(review).toContain("shown on weak evidence only: the checks pass without the work, too");
  expect(review).toContain(
    "root cause shown  not for every task: T-002 is weak: the checks pass without the work, too, T-003 is unverified: it has no check",
  );
  expect(stage.loop("status", "--all").out).toContain("the checks pass without the work, too");
  expect(stage.loop("task", "show", "T-002").out).toContain("weak: the checks pass without the work, too");
  expect(stage.read(".loop/summary.md")).toContain("| weak: the checks pass without the work, too |");
});
