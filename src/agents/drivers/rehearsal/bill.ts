import { NO_USAGE } from "../../cost/usage.ts";
import { beginningOf, LONGEST_DETAIL } from "../bounded-text.ts";
import type { Bill } from "../driver.ts";
import { countAt, numberAt, objectAt, textAt, type JsonObject } from "../json-line.ts";

/** A bill plus what a message adds. It never falls, whatever is printed. */
export function billAfter(bill: Bill, message: JsonObject): Bill {
  const usd = numberAt(message, "usd");
  const tokens = objectAt(message, "tokens");
  return {
    usd: usd === null ? bill.usd : Math.max(usd, bill.usd ?? 0),
    usage: tokens === null ? bill.usage : usageAfter(bill, tokens, textAt(message, "model")),
  };
}

function usageAfter(bill: Bill, tokens: JsonObject, model: string | null): Bill["usage"] {
  const before = bill.usage[0]?.usage ?? NO_USAGE;
  const usage = {
    ...NO_USAGE,
    input: Math.max(before.input, countAt(tokens, "input")),
    output: Math.max(before.output, countAt(tokens, "output")),
  };
  return [{ model: model === null ? null : beginningOf(model, LONGEST_DETAIL), usage }];
}
