import type { Loop } from "../core/loop/loop.ts";
import { costMark } from "../core/loop/loop.ts";

export function dollars(amount: number): string {
  return Number.isInteger(amount) ? `$${amount}` : `$${amount.toFixed(2)}`;
}

/** For scripts: sums of dollars without the noise of their last digits, as in 0.6000000000000001. */
export function exactDollars(amount: number): number {
  return Number(amount.toFixed(9));
}

/** `$0.04`, `at least $0.04` if an agent reported no bill, `at most $0.04` if a price is unknown, or `unknown`; with the budget. */
export function costText(loop: {
  readonly limits: Pick<Loop["limits"], "budgetUsd">;
  readonly spend: Loop["spend"];
}): string {
  const budget = loop.limits.budgetUsd === null ? "" : `/${dollars(loop.limits.budgetUsd)}`;
  const { priced, usd } = loop.spend;
  // An unknown cost isn't a cost of zero.
  if (!priced && usd === 0) return `unknown${budget}`;
  return `${costMark(loop.spend)}${dollars(usd)}${budget}`;
}
