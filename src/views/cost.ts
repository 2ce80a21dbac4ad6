import { begunIteration, costMark, elapsedMs, isWorkflow, type Loop } from "../core/loop/loop.ts";
import { counted, durationText } from "../system/text/quantities.ts";

export function dollars(amount: number): string {
  return Number.isInteger(amount) ? `$${amount}` : `$${amount.toFixed(2)}`;
}

/** For scripts: sums of dollars without the noise of their last digits, as in 0.6000000000000001. */
export function exactDollars(amount: number): number {
  return Number(amount.toFixed(9));
}

/** What a loop has spent, and of which budget. */
interface Spent {
  readonly limits: Pick<Loop["limits"], "budgetUsd">;
  readonly spend: Loop["spend"];
}

/** `$0.04`, `at least $0.04` if an agent reported no bill, `at most $0.04` if a price is unknown, or `unknown`; with the budget. */
export function costText({ limits: { budgetUsd }, spend }: Spent): string {
  const budget = budgetUsd === null ? "" : `/${dollars(budgetUsd)}`;
  // An unknown cost isn't a cost of zero.
  if (!spend.priced && spend.usd === 0) return `unknown${budget}`;
  return `${costMark(spend)}${dollars(spend.usd)}${budget}`;
}

/** A cost among other figures, where `unknown` alone wouldn't say what. */
export function costAmongOthers(cost: string): string {
  return cost.replace(/^unknown/, "cost unknown");
}

/** What it took so far: `3 iterations, 4 min 10 s, $0.12/$25`; of a plan, its attempts. */
export function effortText(loop: Loop): string {
  const work = isWorkflow(loop)
    ? counted(loop.workflow?.attempts.length ?? 0, "attempt")
    : counted(begunIteration(loop), "iteration");
  return `${work}, ${durationText(elapsedMs(loop, loop.updatedAt))}, ${costAmongOthers(costText(loop))}`;
}
