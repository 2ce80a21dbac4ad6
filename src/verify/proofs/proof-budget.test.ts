import { expect, it } from "vitest";
import { proofBudget, shareOf } from "./proof-budget.ts";

it.each([
  ["three times the checks' own time", 20_000, null, 60_000],
  ["at least half a minute", 1_000, null, 30_000],
  ["what a person set", 20_000, 5_000, 5_000],
])("the time for proofs is %s", (_, checksMs, givenMs, expected) => {
  let now = 100;
  const budget = proofBudget(() => now, checksMs, givenMs);
  expect(budget.leftMs()).toBe(expected);
  now += expected + 1;
  expect(budget.leftMs()).toBe(-1);
});

it("the time for proofs is never longer in parts", () => {
  const now = (): number => 0;
  const budget = proofBudget(now, 0, 5_000);
  expect(shareOf(budget, now, 2_000).leftMs()).toBe(2_000);
  expect(shareOf(budget, now, 9_000).leftMs()).toBe(5_000);
});
