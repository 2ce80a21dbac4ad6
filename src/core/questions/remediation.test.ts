import { expect, test } from "vitest";
import { shellCheck } from "../../../test/support/loop-builders.ts";
import { finding } from "../../../test/support/stage-builders.ts";
import { planned } from "../../../test/support/workflow-builders.ts";
import type { Plan } from "../plan/plan.ts";
import { remediationTasks, remediationFor } from "./remediation.ts";

const plan: Plan = {
  source: "file",
  tasks: [planned("T-1"), planned("T-2", ["T-1"]), planned("R-1", ["T-2"])],
};
const demands = [
  { id: "C-1", text: "tests pass", check: shellCheck("npm test") },
  { id: "M-1", text: "path:docs/**", check: null },
];
const context = { demands, plan, note: null, commandCheck: null };

test("more tasks have the next numbers, and come after all that is there", () => {
  const remedy = remediationFor(finding("F-1"), context);
  expect(remediationTasks(plan, [remedy, remedy])).toMatchObject([
    { id: "R-2", blockedBy: ["R-1"], proposed: null },
    { id: "R-3", blockedBy: ["R-1"] },
  ]);
  expect(remediationTasks(plan, [])).toEqual([]);
});

test("a finding is shown put right by a command that fails now, or by the check of what it breaks, or of the whole", () => {
  const command = shellCheck("node --test");
  const checkOf = (part: Partial<typeof context> & { breaks?: string | null }) =>
    remediationFor(finding("F-1", { breaks: part.breaks ?? "tests pass" }), { ...context, ...part }).check;
  expect(remediationFor(finding("F-1"), { ...context, commandCheck: command }).check).toEqual(command);
  expect(checkOf({})).toEqual(shellCheck("npm test"));
  expect(checkOf({ breaks: "path:docs/**" })).toEqual(shellCheck("test R-1"));
});

test("the task is told what was found, what a person said, and what to keep", () => {
  const { description, subject } = remediationFor(
    finding("F-1", { refused: "path:docs/**", problem: "The total is always 3.\nMore." }),
    { ...context, note: "only for carts with one item" },
  );
  expect(subject).toBe("Put right in src/cart.js: The total is always 3.");
  for (const part of [
    "src/cart.js:3: return 3;",
    "tests pass",
    "only for carts with one item",
    "Keep: path:docs/**",
  ])
    expect(description).toContain(part);
});
