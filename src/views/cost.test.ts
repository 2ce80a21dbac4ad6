import { expect, test } from "vitest";
import { costText } from "./cost.ts";

const limits = { budgetUsd: 25 };
const SPENT = { usd: 0.04, tokens: 1, priced: true, told: true };

test.each([
  ["an exact sum", {}, "$0.04/$25"],
  ["an agent that told no bill", { told: false }, "at least $0.04/$25"],
  ["a model without a price", { priced: false }, "at most $0.04/$25"],
  ["nothing to go by", { priced: false, told: false, usd: 0 }, "unknown/$25"],
])("what a loop cost is told with its budget for %s", (_, spend, text) => {
  expect(costText({ limits, spend: { ...SPENT, ...spend } })).toBe(text);
});
