import { greaterOf, NO_USAGE, tokensOf, type Usage } from "../../cost/usage.ts";
import { beginningOf, LONGEST_DETAIL } from "../bounded-text.ts";
import type { Bill } from "../driver.ts";
import { countAt, numberAt, objectAt, textAt, type JsonObject } from "../json-line.ts";

type UsageOfModel = Bill["usage"][number];

/** What each answer of a model used, as far as the stream tells. */
export interface Count {
  /** The lines of one answer repeat its usage, and the early ones are not final. Says whether more is known now. */
  add(answer: string, model: string | null, usage: Usage): boolean;
  /** One entry an answer: the price of a long prompt is that of a request, not of a sum. */
  readonly usage: readonly UsageOfModel[];
}

export function startCount(): Count {
  const answers = new Map<string, UsageOfModel>();
  return {
    add(answer, model, usage) {
      const before = answers.get(answer);
      const after = greaterOf(before?.usage ?? NO_USAGE, usage);
      if (tokensOf(after) === tokensOf(before?.usage ?? NO_USAGE)) return false;
      answers.set(answer, { model: before?.model ?? model, usage: after });
      return true;
    },
    get usage() {
      return [...answers.values()];
    },
  };
}

export function usageFrom(usage: JsonObject): Usage {
  const write1h = countAt(usage, "cache_creation", "ephemeral_1h_input_tokens");
  const write5m = countAt(usage, "cache_creation", "ephemeral_5m_input_tokens");
  return {
    input: countAt(usage, "input_tokens"),
    output: countAt(usage, "output_tokens"),
    cacheWrite: Math.max(countAt(usage, "cache_creation_input_tokens"), write5m + write1h),
    cacheWrite1h: write1h,
    cacheRead: countAt(usage, "cache_read_input_tokens"),
    webSearches: countAt(usage, "server_tool_use", "web_search_requests"),
    inUs: textAt(usage, "inference_geo") === "us",
    fast: textAt(usage, "speed") === "fast",
  };
}

/** The figures of a `result`. */
export interface Totals {
  readonly usd: number | null;
  readonly usage: readonly UsageOfModel[];
  readonly added: Added | null;
}

/** What the client's process itself has counted in all of its results; older versions do not tell. */
interface Added {
  readonly usd: number;
  readonly usage: readonly UsageOfModel[];
}

export const NOTHING_ADDED: Added = { usd: 0, usage: [] };

/** `before`: what the earlier results of the same process had told. */
export function totalsFrom(result: JsonObject, before: Added | null = NOTHING_ADDED): Totals {
  return {
    usd: dollarsAt(result, "total_cost_usd"),
    usage: usageByModel(objectAt(result, "modelUsage") ?? {}),
    added: before === null ? null : withMore(before, objectAt(result, "model_usage_since_last_result")),
  };
}

function withMore(before: Added, models: JsonObject | null): Added | null {
  if (models === null) return null;
  const costs = Object.keys(models).map((model) => dollarsAt(models, model, "costUSD") ?? Infinity);
  const usd = costs.reduce((sum, cost) => sum + cost, before.usd);
  return Number.isFinite(usd) ? { usd, usage: [...before.usage, ...usageByModel(models)] } : null;
}

function dollarsAt(value: JsonObject, ...path: readonly string[]): number | null {
  const usd = numberAt(value, ...path);
  return usd === null || usd < 0 ? null : usd;
}

function usageByModel(models: JsonObject): readonly UsageOfModel[] {
  return Object.keys(models).map((model) => ({
    model: modelName(model),
    usage: {
      ...NO_USAGE,
      input: countAt(models, model, "inputTokens"),
      output: countAt(models, model, "outputTokens"),
      cacheWrite: countAt(models, model, "cacheCreationInputTokens"),
      cacheRead: countAt(models, model, "cacheReadInputTokens"),
      webSearches: countAt(models, model, "webSearchRequests"),
    },
  }));
}

export function modelName(model: string): string {
  return beginningOf(model, LONGEST_DETAIL);
}

/**
 * The bill of this turn: what its process has counted, where the client says so. The totals are those of the process in
 * some versions of the client, and those of the whole conversation in others, with what a killed turn had cost or
 * without; their dollars and tokens always begin at the same point. `reportedUsd` is the conversation's last total. So
 * where this total could hold that one, the dollars that this turn's own tokens come to are reckoned from it, and of the
 * whole total and what is new in it the nearer one is the bill.
 */
export function billOf(seen: Bill["usage"], totals: Totals | null, reportedUsd: number | null): Bill {
  if (totals === null) return { usd: null, usage: seen };
  const { added } = totals;
  if (added !== null && (added.usd > 0 || seen.length === 0)) {
    return { usd: added.usd, usage: fuller(added.usage, seen) };
  }
  if (totals.usd === null) return { usd: null, usage: seen };
  // The result of a crash says nothing was spent.
  if (totals.usd === 0 && seen.length > 0) return { usd: null, usage: seen };
  const isOfConversation =
    reportedUsd !== null &&
    reportedUsd > 0 &&
    totals.usd >= reportedUsd &&
    isNearerToDifference(totals.usd, reportedUsd, seen, totals.usage);
  if (isOfConversation) return { usd: totals.usd - reportedUsd, usage: seen };
  return { usd: totals.usd, usage: fuller(totals.usage, seen) };
}

/** The client also knows of requests that the stream does not show: titles, summaries, the last words of subagents. */
function fuller(told: Bill["usage"], seen: Bill["usage"]): Bill["usage"] {
  return allTokens(told) >= allTokens(seen) ? told : seen;
}

function isNearerToDifference(
  total: number,
  reported: number,
  seen: Bill["usage"],
  counted: Bill["usage"],
): boolean {
  const [own, whole] = [weightOf(seen), weightOf(counted)];
  // A total without tokens is taken for this turn's: rather too much than too little.
  const expected = own === 0 ? 0 : total * Math.min(own / whole, 1);
  return Math.abs(expected - (total - reported)) < Math.abs(expected - total);
}

/** Tokens by what they cost in relation to each other, which is much the same for every model of this client. */
function weightOf(usages: Bill["usage"]): number {
  return usages.reduce(
    (sum, { usage }) =>
      sum + usage.input + 5 * usage.output + 1.25 * usage.cacheWrite + 0.1 * usage.cacheRead,
    0,
  );
}

function allTokens(usages: Bill["usage"]): number {
  return usages.reduce((sum, { usage }) => sum + tokensOf(usage), 0);
}
