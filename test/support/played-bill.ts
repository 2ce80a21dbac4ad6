import { coversTurn } from "../../src/core/stop/limits.ts";
import type { PlayedAttempt } from "./workflow-scenario.ts";

/** What a simulated attempt costs. */
export interface PlayedBill {
  readonly usd: number;
  readonly turnUsd: number;
  /** Its money didn't last to its end. */
  readonly isCutOff: boolean;
}

interface Budget {
  readonly areCapped: boolean;
  readonly budgetUsd: number | null;
  /** The dearest turn that was known when it began. */
  readonly turnUsd: number;
}

/** Turn by turn, as a run would take them: a capped agent ends at its budget, another one begins only what its budget covers. */
export function billOf({ turnsUsd }: PlayedAttempt, { areCapped, budgetUsd, turnUsd }: Budget): PlayedBill {
  let usd = 0;
  let dearest = 0;
  for (const price of turnsUsd) {
    const left = (budgetUsd ?? Infinity) - usd;
    const expected = Math.max(dearest, turnUsd);
    const mayStart = left > 0 && (areCapped || coversTurn({ budgetUsd, spentUsd: usd }, expected));
    if (!mayStart) return { usd, turnUsd: dearest, isCutOff: true };
    const cost = areCapped ? Math.min(price, left) : price;
    usd += cost;
    dearest = Math.max(dearest, cost);
    if (cost < price) return { usd, turnUsd: dearest, isCutOff: true };
  }
  return { usd, turnUsd: dearest, isCutOff: false };
}
