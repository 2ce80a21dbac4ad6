import { parseSessionId } from "../../../core/loop/id.ts";
import {
  beginningOf,
  detailOf,
  endOf,
  LONGEST_DETAIL,
  LONGEST_MESSAGE,
  LONGEST_SAID,
} from "../bounded-text.ts";
import { startDenials } from "../permissions.ts";
import type { AgentEvent, StreamReader, Turn } from "../driver.ts";
import { countAt, numberAt, objectAt, objectsAt, parseJsonLine, textAt } from "../json-line.ts";
import type { JsonObject } from "../json-line.ts";
import { billOf, modelName, NOTHING_ADDED, startCount, totalsFrom, usageFrom, type Totals } from "./bill.ts";
import { denialsIn, outcomeOf, outputOf, toolUseIn, type ToolUse } from "./denials.ts";
import { timeFrom } from "./reset-time.ts";
import { endFrom, troubleOf, type TurnEnd } from "./trouble.ts";

/** The client's own words in place of an answer: an error of the service or of one of its commands. */
const NO_MODEL = "<synthetic>";

type ClaudeTurn = Pick<Turn, "model" | "conversation" | "reportedUsd">;

interface Result {
  readonly end: TurnEnd;
  readonly totals: Totals;
}

/** Reads `claude -p --output-format stream-json --verbose`, with or without partial messages. */
export function readMessages(turn: ClaudeTurn): StreamReader {
  let conversation: string | null = parseSessionId(turn.conversation);
  let sighted: string | null = null;
  let began = false;
  let cwd: string | null = null;
  let lastWords: string | null = null;
  let error: string | null = null;
  let resetsAt: number | null = null;
  let result: Result | null = null;
  let added: Totals["added"] = NOTHING_ADDED;
  const count = startCount();
  /** The answer that partial messages currently belong to, for the main agent and each subagent. */
  const open = new Map<string, string>();
  const uses = new Set<string>();
  const running = new Map<string, ToolUse>();
  const answers = new Map<string, string>();
  const denied = startDenials();

  function see(message: JsonObject): readonly AgentEvent[] {
    switch (textAt(message, "type")) {
      case "system":
        return seeSystem(message);
      case "stream_event":
        return seePart(objectAt(message, "event"), textAt(message, "parent_tool_use_id") ?? "");
      case "assistant":
        return seeAnswer(message);
      case "user":
        return objectsAt(message, "message", "content").flatMap(seeToolResult);
      case "rate_limit_event":
        seeLimit(objectAt(message, "rate_limit_info"));
        return [];
      case "result":
        seeResult(message);
        return [];
      case null:
      default:
        return [];
    }
  }

  function seeSystem(message: JsonObject): readonly AgentEvent[] {
    switch (textAt(message, "subtype")) {
      case "init":
        return begin(message);
      case "api_retry":
        return [{ type: "retrying", detail: retryIn(message) }];
      case null:
      default:
        return [];
    }
  }

  /** Comes again when finished background work calls the model back: then the turn isn't over yet. */
  function begin(init: JsonObject): readonly AgentEvent[] {
    began = true;
    result = null;
    error = null;
    cwd = textAt(init, "cwd");
    const id = parseSessionId(textAt(init, "session_id"));
    if (id === null || id === sighted) return [];
    conversation = sighted = id;
    return [{ type: "conversation", id }];
  }

  function seePart(event: JsonObject | null, speaker: string): readonly AgentEvent[] {
    switch (textAt(event, "type")) {
      case "message_start": {
        const id = textAt(event, "message", "id");
        if (id !== null) open.set(speaker, id);
        return bill(id, textAt(event, "message", "model"), objectAt(event, "message", "usage"));
      }
      case "message_delta":
        return bill(open.get(speaker) ?? null, null, objectAt(event, "usage"));
      case null:
      default:
        return [];
    }
  }

  function seeAnswer(message: JsonObject): readonly AgentEvent[] {
    const model = textAt(message, "message", "model");
    const isOfSubagent = textAt(message, "parent_tool_use_id") !== null;
    if (model === NO_MODEL) {
      if (!isOfSubagent) error = textAt(message, "error") ?? error;
      return [];
    }
    const id = textAt(message, "message", "id") ?? textAt(message, "request_id");
    return [
      ...bill(id, model, objectAt(message, "message", "usage")),
      ...objectsAt(message, "message", "content").flatMap((block) => [
        ...(isOfSubagent ? [] : say(block)),
        ...use(block),
      ]),
    ];
  }

  function say(block: JsonObject): readonly AgentEvent[] {
    const words = textAt(block, "type") === "text" ? textAt(block, "text") : null;
    if (words === null || words.trim() === "") return [];
    lastWords = words;
    return [{ type: "said", text: beginningOf(words, LONGEST_SAID) }];
  }

  function use(block: JsonObject): readonly AgentEvent[] {
    const tool = toolUseIn(block, cwd);
    if (tool === null || uses.has(tool.id)) return [];
    uses.add(tool.id);
    running.set(tool.id, tool);
    return [{ type: "used", tool: tool.tool, detail: tool.detail }];
  }

  function seeToolResult(block: JsonObject): readonly AgentEvent[] {
    const id = textAt(block, "tool_use_id");
    if (id === null || textAt(block, "type") !== "tool_result") return [];
    const outcome = outcomeOf(block, running.get(id) ?? null);
    running.delete(id);
    if (outcome?.type === "failed") answers.set(id, beginningOf(outputOf(block), LONGEST_DETAIL));
    return outcome === null ? [] : [outcome];
  }

  function seeLimit(info: JsonObject | null): void {
    if (textAt(info, "status") === "rejected") resetsAt = timeFrom(numberAt(info, "resetsAt")) ?? resetsAt;
  }

  function seeResult(message: JsonObject): void {
    const totals = totalsFrom(message, added);
    added = totals.added;
    result = { end: endFrom(message), totals };
    for (const denial of denialsIn(message, { cwd, answers })) denied.add(denial);
  }

  function bill(id: string | null, model: string | null, usage: JsonObject | null): readonly AgentEvent[] {
    if (id === null || usage === null) return [];
    const isNews = count.add(id, model === null ? null : modelName(model), usageFrom(usage));
    return isNews ? [{ type: "billed", bill: { usd: null, usage: count.usage } }] : [];
  }

  return {
    line(text) {
      const message = parseJsonLine(text);
      return message === null ? [] : see(message);
    },
    end(ending, at) {
      const end = result?.end ?? null;
      const message = end !== null && !end.isError && end.words !== "" ? end.words : lastWords;
      return {
        trouble: troubleOf(end, { began, error, resetsAt }, ending, at),
        lastMessage: message === null ? null : endOf(message, LONGEST_MESSAGE),
        conversation,
        toolUses: uses.size,
        bill: billOf(count.usage, result?.totals ?? null, turn.reportedUsd),
        // A crash reports 0, whatever was spent before.
        reportedUsd: result?.totals.usd || null,
        denials: denied.denials,
      };
    },
  };
}

function retryIn(message: JsonObject): string {
  const error = textAt(message, "error")?.replaceAll("_", " ") ?? "unknown";
  const what = [numberAt(message, "error_status") ?? "", error === "unknown" ? "error" : error].join(" ");
  const seconds = Math.ceil((numberAt(message, "retry_delay_ms") ?? 0) / 1_000);
  const attempt = `attempt ${countAt(message, "attempt")} of ${countAt(message, "max_retries")}`;
  return detailOf(`${what}: trying again in ${seconds} s (${attempt})`);
}
