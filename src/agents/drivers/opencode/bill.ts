import { NO_USAGE, type Usage } from "../../cost/usage.ts";
import type { Bill } from "../driver.ts";
import { countAt, numberAt, type JsonObject } from "../json-line.ts";

const MOST_USD = 1_000_000;

/** The total cost of the model's answers in one turn. */
export interface Sum {
  readonly usd: number;
  readonly usage: Usage;
}

export const NOTHING: Sum = { usd: 0, usage: NO_USAGE };

/** opencode counts cache and reasoning tokens separately from input and output. */
export function withStep(sum: Sum, step: JsonObject | null): Sum {
  const { usage } = sum;
  return {
    usd: sum.usd + Math.min(Math.max(numberAt(step, "cost") ?? 0, 0), MOST_USD),
    usage: {
      ...usage,
      input: usage.input + countAt(step, "tokens", "input"),
      output: usage.output + countAt(step, "tokens", "output") + countAt(step, "tokens", "reasoning"),
      cacheRead: usage.cacheRead + countAt(step, "tokens", "cache", "read"),
      cacheWrite: usage.cacheWrite + countAt(step, "tokens", "cache", "write"),
    },
  };
}

/** opencode reports zero for a model without a price, so zero means unknown. */
export function billOf({ usd, usage }: Sum, model: string | null): Bill {
  return { usd: usd > 0 ? usd : null, usage: [{ model, usage }] };
}
