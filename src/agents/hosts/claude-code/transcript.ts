import type { TranscriptFormat, UsageRow, Usage } from "../../cost/transcript.ts";
import { listOf, textOf, type Payload } from "../payload.ts";

export const CLAUDE_CODE_TRANSCRIPT: TranscriptFormat = {
  usageIn: parseUsage,
  endsWithAnswer,
  lastAnswer,
  queueMark: '"queue-operation"',
  queuedPrompts,
  subagents: { folderOf: (session) => [session, "subagents"], name: /^agent-.*\.jsonl$/s },
};

/** Whether the conversation written so far ends with this answer. */
export function endsWithAnswer(tail: string, answer: string): boolean {
  for (const row of answersBackwards(tail)) return saysLast(row, answer);
  return false;
}

/** Everything the agent said since the last user row; null: nothing. */
export function lastAnswer(tail: string): string | null {
  const texts = [...answersBackwards(tail)].toReversed().flatMap(textsOf);
  return texts.length === 0 ? null : texts.join("\n\n");
}

/** The client writes down what enters and leaves its queue. What left it before the first of these rows is nothing to us. */
export function queuedPrompts(rows: readonly string[]): readonly string[] {
  const queue: string[] = [];
  for (const line of rows) {
    const row = rowFrom(line);
    if (row?.["type"] !== "queue-operation") continue;
    switch (row["operation"]) {
      case "enqueue":
        queue.push(textOf(row, "content") ?? "");
        break;
      case "dequeue":
        queue.shift();
        break;
      default:
        // Taken back, one or all of them: `remove`, `popAll`, and whatever a later client calls it.
        queue.length = 0;
    }
  }
  return queue;
}

/** The agent's rows after the last user row, the last one first. */
function* answersBackwards(tail: string): Generator<Payload> {
  for (const line of tail.split("\n").toReversed()) {
    // Cheaper than parsing each row: most are long, and few are messages.
    if (!line.includes('"assistant"') && !line.includes('"user"')) continue;
    const row = rowFrom(line);
    if (row?.["type"] === "user") return;
    if (row?.["type"] === "assistant") yield row;
  }
}

/** Each part of an answer has its own row; the last one ends as the answer does. */
function saysLast(row: Payload, answer: string): boolean {
  const last = textOf(contentOf(row).at(-1) ?? {}, "text")?.trim() ?? "";
  return last !== "" && answer.trim().endsWith(last);
}

function textsOf(row: Payload): readonly string[] {
  return contentOf(row).flatMap((part) => textOf(part, "text") ?? []);
}

function contentOf(row: Payload): readonly Payload[] {
  const message = row["message"];
  return typeof message === "object" && message !== null ? listOf(message as Payload, "content") : [];
}

/** The first line of a tail is usually cut, and the last one may be half written. */
function rowFrom(line: string): Payload | null {
  try {
    const row: unknown = JSON.parse(line);
    return typeof row === "object" && row !== null ? (row as Payload) : null;
  } catch {
    return null;
  }
}

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
