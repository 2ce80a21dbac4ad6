import type { UsageRow } from "../../cost/transcript.ts";
import type { Usage } from "../../cost/usage.ts";

interface Fields {
  readonly [key: string]: unknown;
}

const NO_ROWS: readonly UsageRow[] = [];

/** No request comes near it, and sums of such numbers stay exact. */
const MOST_TOKENS = 1_000_000_000;

/**
 * The host owns this format and changes it, so unknown rows count as nothing. Usually one row or none. An advisor that answered
 * inside the message has its own row, since it is another model and not part of the message's totals. Ignores the host's
 * running total (`cost-state`): it comes late, starts before the loop, and includes these rows again.
 */
export function parseUsage(line: string): readonly UsageRow[] {
  if (!line.includes('"usage"') || !line.includes('"assistant"')) return NO_ROWS;
  const row = fieldsFrom(line);
  const message = fields(row?.["message"]);
  const usage = fields(message?.["usage"]);
  if (row === null || message === null || usage === null) return NO_ROWS;
  if (row["type"] !== "assistant" || row["isApiErrorMessage"] === true) return NO_ROWS;
  if (message["model"] === "<synthetic>") return NO_ROWS;
  const request = text(row["requestId"]);
  const id = text(message["id"]) || request || text(row["uuid"]);
  if (id === "") return NO_ROWS;
  const shared = { request, at: timeOf(row["timestamp"]) };
  return [
    { ...shared, message: id, model: text(message["model"]), usage: usageOf(usage) },
    ...advisorsOf(usage).map((advisor, index) => ({
      ...shared,
      message: `${id}+${index}`,
      model: text(advisor["model"]),
      usage: usageOf(advisor),
    })),
  ];
}

function advisorsOf(usage: Fields): readonly Fields[] {
  const iterations: unknown = usage["iterations"];
  if (!Array.isArray(iterations)) return [];
  return iterations
    .map((each: unknown) => fields(each))
    .filter((each) => each !== null)
    .filter((each) => each["type"] === "advisor_message");
}

function usageOf(usage: Fields): Usage {
  const writes = fields(usage["cache_creation"]) ?? {};
  const write5m = count(writes["ephemeral_5m_input_tokens"]);
  const write1h = count(writes["ephemeral_1h_input_tokens"]);
  return {
    input: count(usage["input_tokens"]),
    output: count(usage["output_tokens"]),
    cacheWrite: Math.max(count(usage["cache_creation_input_tokens"]), write5m + write1h),
    cacheWrite1h: write1h,
    cacheRead: count(usage["cache_read_input_tokens"]),
    webSearches: count(fields(usage["server_tool_use"])?.["web_search_requests"]),
    inUs: usage["inference_geo"] === "us",
    fast: usage["speed"] === "fast",
  };
}

function timeOf(timestamp: unknown): number | null {
  const time = Date.parse(text(timestamp));
  return Number.isNaN(time) ? null : time;
}

function fieldsFrom(line: string): Fields | null {
  try {
    return fields(JSON.parse(line));
  } catch {
    return null;
  }
}

function fields(value: unknown): Fields | null {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Fields) : null;
}

function text(value: unknown): string {
  return typeof value === "string" ? value : "";
}

function count(value: unknown): number {
  return Number.isSafeInteger(value) ? Math.min(Math.max(value as number, 0), MOST_TOKENS) : 0;
}
