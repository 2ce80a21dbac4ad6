import type { Loop } from "../core/loop.ts";
import { costMark } from "../core/loop.ts";

export function dollars(amount: number): string {
  return Number.isInteger(amount) ? `$${amount}` : `$${amount.toFixed(2)}`;
}

/** `$0.04`, `at least $0.04` where an agent told no bill, `at most $0.04` where a price is not known, or `unknown`; of a budget. */
export function costText(loop: {
  readonly limits: Pick<Loop["limits"], "budgetUsd">;
  readonly spend: Loop["spend"];
}): string {
  const budget = loop.limits.budgetUsd === null ? "" : `/${dollars(loop.limits.budgetUsd)}`;
  const { priced, usd } = loop.spend;
  // Nothing to go by at all is not nothing spent.
  if (!priced && usd === 0) return `unknown${budget}`;
  return `${costMark(loop.spend)}${dollars(usd)}${budget}`;
}
