import { greaterOf, NO_USAGE, tokensOf, type Usage } from "../../cost/transcript.ts";
import { beginningOf, LONGEST_DETAIL } from "../bounded-text.ts";
import type { Bill } from "../driver.ts";
import { countAt, numberAt, objectAt, textAt, type JsonObject } from "../json-line.ts";

type UsageOfModel = Bill["usage"][number];

/** The usage of each model answer, as far as the stream reports it. */
export interface Count {
  /** The lines of one answer repeat its usage, and early ones aren't final. Returns whether this added anything. */
  add(answer: string, model: string | null, usage: Usage): boolean;
  /** One entry per answer: the price of a long prompt applies to a request, not to a sum. */
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

/** The totals of the client's process over all its results; older versions don't report them. */
interface Added {
  readonly usd: number;
  readonly usage: readonly UsageOfModel[];
}

export const NOTHING_ADDED: Added = { usd: 0, usage: [] };

/** `before`: what earlier results of the same process reported. */
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
 * The bill of this turn: the count of its process, if the client reports it. Some versions of the client report totals of the
 * process, others of the whole conversation, with or without the cost of a killed turn; dollars and tokens always start at the
 * same point. `reportedUsd` is the conversation's last total. If this total could include that one, the dollars of this turn's
 * own tokens are estimated from it, and the bill is the nearer of the whole total and the new part of it.
 */
export function billOf(seen: Bill["usage"], totals: Totals | null, reportedUsd: number | null): Bill {
  if (totals === null) return { usd: null, usage: seen };
  const { added } = totals;
  if (added !== null && (added.usd > 0 || seen.length === 0)) {
    return { usd: added.usd, usage: fuller(added.usage, seen) };
  }
  if (totals.usd === null) return { usd: null, usage: seen };
  // A crash reports that nothing was spent.
  if (totals.usd === 0 && seen.length > 0) return { usd: null, usage: seen };
  const isOfConversation =
    reportedUsd !== null &&
    reportedUsd > 0 &&
    totals.usd >= reportedUsd &&
    isNearerToDifference(totals.usd, reportedUsd, seen, totals.usage);
  if (isOfConversation) return { usd: totals.usd - reportedUsd, usage: seen };
  return { usd: totals.usd, usage: fuller(totals.usage, seen) };
}

/** The client also counts requests that the stream doesn't show: titles, summaries, the last words of subagents. */
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
  // A total without tokens counts as this turn's: better too much than too little.
  const expected = own === 0 ? 0 : total * Math.min(own / whole, 1);
  return Math.abs(expected - (total - reported)) < Math.abs(expected - total);
}

/** Tokens weighted by relative cost, which is about the same for every model of this client. */
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
