import { describe, expect, test } from "vitest";
import { scoreSpec, type SpecScore } from "./score.ts";
import { fitScore, plainShape, workflowShape } from "./shape.ts";

const EMPTY: SpecScore = scoreSpec("");

describe("plainShape", () => {
  test.each([
    [0, "intent"],
    [4, "intent"],
    [5, "colleague"],
    [7, "colleague"],
    [8, "tool"],
    [10, "tool"],
  ] as const)("a total of %i is %s", (total, shape) => {
    expect(plainShape(total)).toBe(shape);
  });
});

describe("workflowShape", () => {
  test.each([
    [24, "blocked"],
    [25, "colleague"],
    [29, "colleague"],
    [30, "tool-review"],
    [39, "tool-review"],
    [40, "tool"],
  ] as const)("a fit of %i is %s", (fit, shape) => {
    expect(workflowShape(fit)).toBe(shape);
  });
});

describe("fitScore", () => {
  test("counts five for each point and five for each of constraints, success and done at 2", () => {
    expect(fitScore({ ...EMPTY, outcome: 2, scope: 2, constraints: 2, success: 1, done: 2, total: 9 })).toBe(
      55,
    );
    expect(fitScore({ ...EMPTY, outcome: 2, scope: 2, total: 4 })).toBe(20);
  });

  test.each([
    [7, 27],
    [25, 30],
    [-3, 20],
    [Number.NaN, 20],
  ])("familiarity %d is held between 0 and 10", (familiarity, fit) => {
    expect(fitScore({ ...EMPTY, total: 4 }, familiarity)).toBe(fit);
  });
});
