import { expect, test } from "vitest";
import { loopWith, shellCheck, START } from "../../../../test/support/loop-builders.ts";
import { evolve } from "../../events/evolve.ts";
import { adopted, planned } from "../../../../test/support/workflow-builders.ts";
import {
  demandsOf,
  lightQuestion,
  questionTo,
  thoroughQuestion,
  type ReviewedWork,
} from "./review-question.ts";

const LOOP = loopWith(
  { goal: { exitRule: "tasks", spec: "Fix total(). The public API must not change." } },
  adopted([planned("T-1"), planned("T-2")]),
);
const WORK: ReviewedWork = {
  spec: "Fix total().",
  demands: demandsOf(LOOP),
  decisions: [],
  diff: { text: "+ sum += price;", files: [], unseen: [] },
  commit: null,
};
const POINTS = [
  { name: "correctness", asks: "Is it right?" },
  { name: "user's view", asks: "Is it kind?" },
];

test("a reviewer can name each task, and each constraint in words", () => {
  expect(WORK.demands.map(({ id, text }) => `${id}: ${text}`)).toEqual([
    expect.stringMatching(/^C-1: T-1/),
    expect.stringMatching(/^C-2: T-2/),
    expect.stringMatching(/^M-1: .*public API/),
  ]);
  expect(WORK.demands.at(-1)).toMatchObject({ check: null, isSpoken: true });
});

test("the diff is fenced, and what was decided is there only if something was", () => {
  const [plain, decided] = [[], ["Use tabs"]].map(
    (decisions) => thoroughQuestion({ ...WORK, decisions }, 2, POINTS, "nonce").text,
  );
  expect(plain).toContain("+ sum += price;");
  expect(plain).toContain("Points of view:");
  expect(plain).not.toContain("Decided before the work");
  expect(decided).toContain("Decided before the work:\n- Use tabs");
});

test("each reviewer of a panel is asked alone, under a name that is a path's", () => {
  const [, second] = POINTS;
  if (second === undefined) throw new Error("no second point of view");
  const asked = questionTo(second, (some) => lightQuestion(WORK, 3, some, "nonce"));
  expect(asked).toMatchObject({ id: "review-wave-3-user-s-view", panel: "review-wave-3" });
  expect(asked.text).toContain("Your point of view; others have theirs:");
  expect(asked.text).not.toContain("correctness");
});

test("must-nots come with the command that watches them, if they have one", () => {
  const check = shellCheck("npm run lint");
  const mustNots = [
    { kind: "path", glob: "src/legacy.js" },
    { kind: "run", check },
  ] as const;
  const demands = demandsOf({ ...LOOP, mustNots });
  expect(demands.filter(({ id }) => id.startsWith("M-")).map((each) => each.check)).toEqual([
    null,
    check,
    null,
  ]);
});

test("a task that a person took out of the plan is no demand", () => {
  const skipped = { type: "task.skipped", task: "T-1", why: "not needed", by: "person" } as const;
  expect(demandsOf(evolve(LOOP, skipped, START)).map(({ text }) => text)).not.toContainEqual(
    expect.stringMatching(/^T-1:/),
  );
});
