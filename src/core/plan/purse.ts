import type { Facts } from "./step.ts";
import type { Workflow } from "./workflow.ts";
import { isDone, running } from "./workflow.ts";

/** Ten-thousandths of a dollar, rounded down: sums of shares never come to more than what is shared. */
const UNITS = 10_000;

/** The money that is neither spent nor promised to an attempt that runs. */
export class Purse {
  readonly #attemptUsd: number | null;
  readonly #leastUsd: number;
  #tasksLeft: number;
  #left: number | null;

  constructor(workflow: Workflow, { budgetUsd, spentUsd }: Facts) {
    const atWork = running(workflow);
    const promised = atWork.reduce((sum, { reservedUsd }) => sum + (reservedUsd ?? 0), 0);
    const ended = workflow.attempts.length - atWork.length;
    this.#attemptUsd = workflow.attemptUsd;
    // Less than what attempts have cost so far would only be spent for nothing.
    this.#leastUsd = ended === 0 ? 0 : spentUsd / ended;
    this.#tasksLeft = workflow.plan.tasks.filter(({ id }) => !isDone(workflow, id)).length - atWork.length;
    this.#left = budgetUsd === null ? null : budgetUsd - spentUsd - promised;
  }

  /** What the next attempt needs at least. */
  get neededUsd(): number {
    return Math.min(this.#leastUsd, this.#attemptUsd ?? Infinity);
  }

  /**
   * Promises an attempt its part, with `places` more that may start: as much as one may have, or less where less is left. null when
   * there isn't enough.
   */
  take(places: number): { readonly reservedUsd: number | null } | null {
    if (this.#left === null) return { reservedUsd: this.#attemptUsd };
    const share = this.#left / Math.max(1, Math.min(places, this.#tasksLeft));
    const reservedUsd = roundedDown(Math.min(Math.max(share, this.#leastUsd), this.#attemptUsd ?? Infinity));
    if (reservedUsd <= 0 || reservedUsd > this.#left) return null;
    this.#left -= reservedUsd;
    this.#tasksLeft -= 1;
    return { reservedUsd };
  }
}

function roundedDown(usd: number): number {
  return Math.floor(usd * UNITS) / UNITS;
}
