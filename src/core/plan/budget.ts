import type { Facts } from "./step.ts";
import { isSettled, isSpent, running, taskState, type Workflow } from "./workflow.ts";
import type { Stages } from "../stages/stages.ts";

/** Ten-thousandths of a dollar, rounded down: sums of shares never come to more than what is shared. */
const UNITS = 10_000;

/** What attempts leave for questions that are asked while they run. */
const FOR_QUESTIONS = 0.1;

/** With less, few attempts get anywhere. */
const LEAST_SHARE_USD = 1;
const LEAST_SHARE_TOKENS = 200_000;

/** What a turn is taken to cost, of an agent that can't be capped, before any attempt has ended. */
const FIRST_TURN_USD = 5;

/** The money that is neither spent nor promised to an attempt that runs. */
export class Budget {
  /** What the next attempt needs at least. */
  readonly neededUsd: number;
  /** What it needs beside others: its share covers a whole turn, so that at most the last one, which is alone, goes beyond the budget. */
  readonly #besideUsd: number;
  readonly #shareUsd: number | null;
  #left: number | null;
  #isAlone: boolean;

  /** `parallel`: how many attempts may run at once. */
  constructor(workflow: Workflow, stages: Stages | null, facts: Facts, parallel: number) {
    const { attemptUsd, attempts } = workflow;
    const { budgetUsd, spentUsd, turnUsd, areCapped } = facts;
    const atWork = running(workflow);
    const ended = attempts.length - atWork.length;
    this.neededUsd = attemptNeedsUsd(workflow, spentUsd);
    const expectedTurnUsd = ended === 0 ? FIRST_TURN_USD : turnUsd;
    this.#besideUsd = Math.max(this.neededUsd, areCapped ? 0 : expectedTurnUsd);
    this.#isAlone = atWork.length === 0;
    if (budgetUsd === null) {
      this.#left = null;
      this.#shareUsd = attemptUsd;
      return;
    }
    this.#left = budgetUsd - spentUsd - promisedUsd(workflow);
    const shared = (budgetUsd - spentUsd) * (stages?.policy.asks === true ? 1 - FOR_QUESTIONS : 1);
    const shares = sharesIn(workflow, parallel, shared, LEAST_SHARE_USD);
    this.#shareUsd = attemptUsd ?? Math.max(shared / shares, this.#besideUsd);
  }

  /** Promises an attempt its share; null when there isn't enough. */
  take(): { readonly reservedUsd: number | null } | null {
    if (this.#left === null || this.#shareUsd === null) return { reservedUsd: this.#shareUsd };
    const reservedUsd = roundedDown(Math.min(this.#shareUsd, this.#left));
    const neededUsd = this.#isAlone ? this.neededUsd : this.#besideUsd;
    if (reservedUsd <= 0 || reservedUsd < roundedDown(neededUsd)) return null;
    this.#left -= reservedUsd;
    this.#isAlone = false;
    return { reservedUsd };
  }
}

/** Less than what attempts have cost so far would only be spent for nothing. */
function attemptNeedsUsd(workflow: Workflow, spentUsd: number): number {
  const ended = workflow.attempts.length - running(workflow).length;
  return workflow.attemptUsd ?? (ended === 0 ? 0 : spentUsd / ended);
}

/** What the budget lacks for this many more attempts; 0: nothing, or no task waits for one. */
export function missingUsd(
  workflow: Workflow,
  { budgetUsd, spentUsd }: Pick<Facts, "budgetUsd" | "spentUsd">,
  attempts: number,
): number {
  const isWaiting = workflow.plan.tasks.some((task) =>
    ["ready", "blocked"].includes(taskState(workflow, task)),
  );
  if (budgetUsd === null || !isWaiting) return 0;
  const left = roundedDown(budgetUsd - spentUsd);
  return Math.max(0, attempts * roundedDown(attemptNeedsUsd(workflow, spentUsd)) - left);
}

/** Nothing brings the plan on but another attempt. */
export function needsAttempt(workflow: Workflow): boolean {
  const isUnderWay = workflow.attempts.some(({ state }) => ["running", "finished"].includes(state.type));
  return (
    !isUnderWay &&
    workflow.plan.tasks.some((task) => taskState(workflow, task) === "ready" && !isSpent(workflow, task.id))
  );
}

/** So many shares may be small, since somebody wants little to be spent. */
const SMALL_SHARES = 8;

/**
 * Into how many shares the rest is divided. All that run have about half of it: one that goes astray leaves something for the others.
 * With many at once, fewer begin instead of each with too little to come to anything.
 */
function sharesIn(workflow: Workflow, parallel: number, left: number, least: number): number {
  const open = workflow.plan.tasks.filter(({ id }) => !isSettled(workflow, id)).length;
  const worthwhile = Math.max(SMALL_SHARES, Math.floor(left / least));
  return Math.max(1, Math.min(open, 2 * parallel, worthwhile));
}

/** To the attempts that run. */
export function promisedUsd(workflow: Workflow): number {
  return running(workflow).reduce((sum, { reservedUsd }) => sum + (reservedUsd ?? 0), 0);
}

function roundedDown(usd: number): number {
  return Math.floor(usd * UNITS) / UNITS;
}

interface Tokens {
  readonly left: number;
  readonly share: number;
  /** What the next attempt needs beside others: less than attempts have used so far would only be used for nothing. */
  readonly beside: number;
}

/** The tokens that are neither used nor promised to an attempt that runs. Agents say after a turn how many it took. */
export class TokenBudget {
  /** null: there is no limit. */
  #tokens: Tokens | null;
  #isAlone: boolean;

  /** `parallel`: how many attempts may run at once. */
  constructor(workflow: Workflow, { tokenLimit, spentTokens }: Facts, parallel: number) {
    const atWork = running(workflow);
    this.#isAlone = atWork.length === 0;
    this.#tokens = null;
    if (tokenLimit === null) return;
    const ended = workflow.attempts.length - atWork.length;
    const promised = atWork.reduce((sum, { reservedTokens }) => sum + (reservedTokens ?? 0), 0);
    const beside = Math.max(1, ended === 0 ? 1 : Math.floor(spentTokens / ended));
    const unspent = tokenLimit - spentTokens;
    const share = Math.max(unspent / sharesIn(workflow, parallel, unspent, LEAST_SHARE_TOKENS), beside);
    this.#tokens = { left: unspent - promised, share, beside };
  }

  /** Promises an attempt its share; null when there isn't enough. */
  take(): { readonly reservedTokens: number | null } | null {
    if (this.#tokens === null) return { reservedTokens: null };
    const { left, share, beside } = this.#tokens;
    const reservedTokens = Math.floor(Math.min(share, left));
    if (reservedTokens < (this.#isAlone ? 1 : beside)) return null;
    this.#tokens = { left: left - reservedTokens, share, beside };
    this.#isAlone = false;
    return { reservedTokens };
  }
}
