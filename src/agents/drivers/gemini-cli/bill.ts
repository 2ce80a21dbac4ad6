import { NO_USAGE, type Usage } from "../../cost/usage.ts";
import { detailOf } from "../bounded-text.ts";
import type { Bill } from "../driver.ts";
import { asObject, countAt, type JsonObject } from "../json-line.ts";

const MOST_MODELS = 20;

/** The client's own count at the end of a turn, by model. It covers only this process, without dollars. */
export function billOf(stats: JsonObject | null): Bill {
  const models = Object.entries(asObject(stats?.["models"]) ?? {}).slice(0, MOST_MODELS);
  const usage = models.map(([model, counts]) => ({ model: detailOf(model), usage: usageOf(counts) }));
  return {
    usd: null,
    usage: usage.filter((each) => each.usage.input + each.usage.output + each.usage.cacheRead > 0),
  };
}

/** `input_tokens` includes cached ones. `output_tokens` lacks the thoughts, which are only in the total. */
function usageOf(counts: unknown): Usage {
  const prompt = countAt(counts, "input_tokens");
  const cacheRead = Math.min(countAt(counts, "cached"), prompt);
  const output = Math.max(countAt(counts, "output_tokens"), countAt(counts, "total_tokens") - prompt);
  return { ...NO_USAGE, input: prompt - cacheRead, output, cacheRead };
}
