import type { Loop } from "../core/loop.ts";
import { costMark } from "../core/loop.ts";

export function dollars(amount: number): string {
  return Number.isInteger(amount) ? `$${amount}` : `$${amount.toFixed(2)}`;
}

export function costText(loop: Loop): string {
  const budget = loop.limits.budgetUsd === null ? "" : `/${dollars(loop.limits.budgetUsd)}`;
  const { priced, usd } = loop.spend;
  // Nothing to go by at all is not nothing spent.
  if (!priced && usd === 0) return `unknown${budget}`;
  return `${costMark(loop.spend)}${dollars(usd)}${budget}`;
}
