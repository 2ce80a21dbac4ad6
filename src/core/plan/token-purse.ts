import { sharesIn } from "./purse.ts";
import type { Facts } from "./step.ts";
import type { Workflow } from "./workflow.ts";
import { running } from "./workflow.ts";

interface Tokens {
  readonly left: number;
  readonly share: number;
  /** What the next attempt needs beside others: less than attempts have used so far would only be used for nothing. */
  readonly beside: number;
}

/** The tokens that are neither used nor promised to an attempt that runs. Agents say after a turn how many it took. */
export class TokenPurse {
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
    const share = Math.max((tokenLimit - spentTokens) / sharesIn(workflow, parallel), beside);
    this.#tokens = { left: tokenLimit - spentTokens - promised, share, beside };
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
