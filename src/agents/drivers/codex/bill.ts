import { NO_USAGE, tokensOf, type Usage } from "../../cost/usage.ts";
import { countAt, type JsonObject } from "../json-line.ts";

/** Codex's `input_tokens` include those of the cache, and its `output_tokens` those of reasoning. */
export function usageFrom(usage: JsonObject): Usage {
  const cacheRead = countAt(usage, "cached_input_tokens");
  const cacheWrite = countAt(usage, "cache_write_input_tokens");
  return {
    ...NO_USAGE,
    input: Math.max(countAt(usage, "input_tokens") - cacheRead - cacheWrite, 0),
    output: countAt(usage, "output_tokens"),
    cacheWrite,
    cacheRead,
  };
}

/** What was added since an earlier total. A total that fell was restarted, so all of it is new. */
export function usageSince(before: Usage | null, total: Usage): Usage {
  if (before === null || tokensOf(total) < tokensOf(before)) return total;
  return {
    ...total,
    input: Math.max(total.input - before.input, 0),
    output: Math.max(total.output - before.output, 0),
    cacheWrite: Math.max(total.cacheWrite - before.cacheWrite, 0),
    cacheRead: Math.max(total.cacheRead - before.cacheRead, 0),
  };
}
