import type { TokenCounts } from "../../core/loop/loop.ts";
import type { Spent } from "../../core/stop/facts.ts";
import type { PriceTable } from "../../agents/cost/price.ts";
import { costOf, priceOf } from "../../agents/cost/price.ts";
import type { Usage } from "../../agents/cost/transcript.ts";
import { NO_USAGE, tokensOf } from "../../agents/cost/transcript.ts";
import type { Bill } from "../../agents/drivers/driver.ts";

/** A bill in dollars: the agent's own figure, otherwise its tokens by the price table. Models without a price cost the highest one. */
export function charge(bill: Bill, table: PriceTable): Spent {
  const tokens = bill.usage.reduce((sum, { usage }) => sum + tokensOf(usage), 0);
  if (bill.usd !== null) return { usd: bill.usd, tokens, priced: true, cursor: null };
  let usd = 0;
  // An agent that reports nothing hasn't worked for free.
  let priced = bill.usage.length > 0;
  for (const { model, usage } of bill.usage) {
    const { known, price } = priceOf(model ?? "", table, usage.fast);
    // A turn is many requests: a long sum doesn't mean that each is long.
    usd += costOf(usage, { ...price, long: null });
    priced &&= known;
  }
  return { usd, tokens, priced, cursor: null };
}

export function countsOf(usage: Usage | null | undefined): TokenCounts | null {
  if (usage == null) return null;
  const { input, output, cacheRead, cacheWrite } = usage;
  return { input, output, cacheRead, cacheWrite };
}

export function usageOf(counts: TokenCounts | null): Usage | null {
  return counts === null ? null : { ...NO_USAGE, ...counts };
}
