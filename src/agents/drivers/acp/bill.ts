import { NO_USAGE, tokensOf, type Usage } from "../../cost/transcript.ts";
import { detailOf } from "../bounded-text.ts";
import type { Bill, Turn } from "../driver.ts";
import { countAt, numberAt, objectAt, objectsAt, textAt, type JsonObject } from "../json-line.ts";

const MOST_MODELS = 20;
const MOST_USD = 1_000_000;

/** What a turn cost, as far as the agent says. The protocol leaves it to the agent, and each has a place of its own for it. */
export interface Account {
  /** Looks for a figure in an update; returns whether the bill grew. */
  update(update: JsonObject): boolean;
  /** The same in the result of the turn. */
  end(result: JsonObject): boolean;
  readonly bill: Bill;
  /** The cost of the whole conversation, as the agent last said; null if it never did. */
  readonly reportedUsd: number | null;
}

/** `model`: what is used where the agent names none. */
export function startAccount(
  { reportedUsd: before }: Pick<Turn, "reportedUsd">,
  model: () => string | null,
): Account {
  let usage: Bill["usage"] = [];
  let counted: Usage = NO_USAGE;
  let usd: number | null = null;
  let reported: number | null = null;

  /** Figures that are told again, and lower, change nothing. */
  function see(next: Bill["usage"]): boolean {
    if (tokensIn(next) <= tokensIn(usage)) return false;
    usage = next;
    return true;
  }

  /** The conversation's total. An agent that counts anew in each process starts below the total it told before. */
  function seeCost(cost: JsonObject | null): boolean {
    const amount = numberAt(cost, "amount");
    if (amount === null || amount < 0 || amount > MOST_USD || textAt(cost, "currency") !== "USD")
      return false;
    reported = Math.max(amount, reported ?? 0);
    const spent = before !== null && reported >= before ? reported - before : reported;
    if (usd !== null && spent <= usd) return false;
    usd = spent;
    return true;
  }

  return {
    update(update) {
      const ofAnswer = objectAt(update, "_meta", "usage");
      if (ofAnswer === null)
        return textAt(update, "sessionUpdate") === "usage_update" && seeCost(objectAt(update, "cost"));
      counted = sumOf(counted, usageFrom(ofAnswer));
      return see([{ model: model(), usage: counted }]);
    },
    end(result) {
      const models = objectsAt(result, "_meta", "quota", "model_usage").slice(0, MOST_MODELS);
      const named = models.map((each) => ({
        model: detailOf(textAt(each, "model") ?? "") || null,
        usage: usageFrom(objectAt(each, "token_count") ?? {}),
      }));
      const told = objectAt(result, "usage");
      return see(named.length > 0 || told === null ? named : [{ model: model(), usage: usageFrom(told) }]);
    },
    get bill() {
      return { usd, usage: usage.filter((each) => tokensOf(each.usage) > 0) };
    },
    get reportedUsd() {
      return reported;
    },
  };
}

/** Names that agents have for the same count. */
const INPUT = ["inputTokens", "input_tokens"];
const OUTPUT = ["outputTokens", "output_tokens"];
const THOUGHT = ["thoughtTokens"];
const CACHED = ["cachedReadTokens", "cachedInputTokens", "cached"];
const WRITTEN = ["cachedWriteTokens", "cacheWriteInputTokens"];
const TOTAL = ["totalTokens", "total_tokens"];

/** Some agents count cached tokens as input, some beside it: the total tells. */
function usageFrom(counts: JsonObject): Usage {
  const [input, output, thought, cacheRead, cacheWrite, total] = [
    INPUT,
    OUTPUT,
    THOUGHT,
    CACHED,
    WRITTEN,
    TOTAL,
  ].map((names) => countIn(counts, names)) as [number, number, number, number, number, number];
  const cached = cacheRead + cacheWrite;
  const isBeside = total >= input + output + cached || cached > input;
  const rest = total - input - output - (isBeside ? cached : 0);
  return {
    ...NO_USAGE,
    input: isBeside ? input : input - cached,
    // Thoughts are output too; they count where the total has them beside it.
    output: output + (rest >= thought ? thought : 0),
    cacheRead,
    cacheWrite,
  };
}

function countIn(counts: JsonObject, names: readonly string[]): number {
  return Math.max(...names.map((name) => countAt(counts, name)));
}

function sumOf(one: Usage, other: Usage): Usage {
  return {
    ...one,
    input: one.input + other.input,
    output: one.output + other.output,
    cacheRead: one.cacheRead + other.cacheRead,
    cacheWrite: one.cacheWrite + other.cacheWrite,
  };
}

function tokensIn(usage: Bill["usage"]): number {
  return usage.reduce((sum, each) => sum + tokensOf(each.usage), 0);
}
