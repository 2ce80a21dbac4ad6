import { parseSessionId } from "../../../core/loop/id.ts";
import { beginningOf, detailOf, endOf, LONGEST_MESSAGE, LONGEST_SAID } from "../bounded-text.ts";
import type { AgentEvent, StreamReader, Turn } from "../driver.ts";
import { objectAt, objectsAt, parseJsonLine, textAt, type JsonObject } from "../json-line.ts";
import { startDenials } from "../permissions.ts";
import { startAccount } from "./bill.ts";
import { kindOf } from "./call-kind.ts";
import { OpenCalls } from "./open-calls.ts";
import { commandIn, denialOf, writtenBy } from "./permission.ts";
import { troubleOf } from "./trouble.ts";

/** Reads what the helper prints ([lines.ts](./lines.ts)). */
export function readDialogue(
  turn: Pick<Turn, "model" | "conversation" | "reportedUsd">,
  title: string,
): StreamReader {
  const calls = new OpenCalls();
  const denied = startDenials();
  const refused = new Set<string>();
  let conversation: string | null = parseSessionId(turn.conversation);
  let model: string | null = turn.model === null ? null : detailOf(turn.model);
  let result: JsonObject | null = null;
  let failure: JsonObject | null = null;
  let words = "";
  let used = 0;
  const account = startAccount(turn, () => model);

  function see(message: JsonObject): readonly AgentEvent[] {
    switch (textAt(message, "type")) {
      case "opened": {
        const named = textAt(message, "model");
        model ??= named === null ? null : detailOf(named);
        const id = parseSessionId(textAt(message, "session"));
        if (id === null) return [];
        conversation = id;
        return [{ type: "conversation", id }];
      }
      case "update":
        return seeUpdate(objectAt(message, "update"));
      case "answered": {
        const call = objectAt(message, "call");
        if (call === null || message["allowed"] !== false) return [];
        refused.add(textAt(call, "toolCallId") ?? "");
        denied.add(denialOf(calls.merged(call)));
        return [
          { type: "failed", output: beginningOf(`denied: ${titleOf(calls.merged(call))}`, LONGEST_SAID) },
        ];
      }
      case "ended":
        result = objectAt(message, "result");
        if (result === null) return [];
        return [...said(), ...billed(account.end(result))];
      case "failed":
      case "gone":
        failure = message;
        return said();
      case null:
      default:
        return [];
    }
  }

  function seeUpdate(update: JsonObject | null): readonly AgentEvent[] {
    if (update === null) return [];
    const cost = billed(account.update(update));
    switch (textAt(update, "sessionUpdate")) {
      case "agent_message_chunk":
        hear(textAt(update, "content", "text") ?? "");
        return cost;
      case "user_message_chunk":
        // What came before was of an earlier turn, told again.
        words = "";
        return cost;
      case "tool_call":
      case "tool_call_update":
        return [...cost, ...seeCall(update)];
      case null:
      default:
        return cost;
    }
  }

  /** Agents tell of a call in pieces; some begin with an update. */
  function seeCall(update: JsonObject): readonly AgentEvent[] {
    const id = textAt(update, "toolCallId");
    if (id === null) return [];
    const isNew = !calls.has(id);
    const call = calls.see(id, update);
    const events: AgentEvent[] = [];
    if (isNew) {
      events.push(...said());
      words = "";
    }
    switch (textAt(update, "status")) {
      case "completed":
      case "failed":
        calls.forget(id);
        // What it says next is another sentence.
        if (words !== "") hear("\n\n");
        return [...events, ...seeOutcome(id, call, textAt(update, "status") === "completed")];
      case null:
      default:
        return events;
    }
  }

  /** Told once it is over, when all of it is known. */
  function seeOutcome(id: string, call: JsonObject, isDone: boolean): readonly AgentEvent[] {
    if (refused.delete(id)) return [];
    used += 1;
    const kind = kindOf(call) ?? "tool";
    const use: AgentEvent = { type: "used", tool: detailOf(kind), detail: detailOf(titleOf(call)) };
    if (!isDone) return [use, { type: "failed", output: endOf(outputOf(call), LONGEST_SAID) }];
    const path = writtenBy(call);
    return path === null ? [use] : [use, { type: "edited", path }];
  }

  function hear(piece: string): void {
    words += piece;
    // Trimmed only now and then, so that many short pieces don't each copy all of it.
    if (words.length > 2 * LONGEST_MESSAGE) words = endOf(words, LONGEST_MESSAGE);
  }

  function said(): readonly AgentEvent[] {
    const text = words.trim();
    return text === "" ? [] : [{ type: "said", text: beginningOf(text, LONGEST_SAID) }];
  }

  function billed(grew: boolean): readonly AgentEvent[] {
    return grew ? [{ type: "billed", bill: account.bill }] : [];
  }

  return {
    line(text) {
      const message = result === null && failure === null ? parseJsonLine(text) : null;
      return message === null ? [] : see(message);
    },
    end(ending, at) {
      const lastMessage = endOf(words, LONGEST_MESSAGE).trim();
      const hasWorked = used > 0 || account.bill.usage.length > 0;
      return {
        trouble: troubleOf({ title, result, failure, said: lastMessage, hasWorked }, ending, at),
        lastMessage: lastMessage === "" ? null : lastMessage,
        conversation,
        toolUses: used,
        bill: account.bill,
        reportedUsd: account.reportedUsd,
        denials: denied.denials,
      };
    },
  };
}

function titleOf(call: JsonObject): string {
  return commandIn(call) ?? textAt(call, "title") ?? writtenBy(call) ?? "";
}

/** What a failed call printed. */
function outputOf(call: JsonObject): string {
  const texts = objectsAt(call, "content").map((each) => textAt(each, "content", "text") ?? "");
  return (
    texts.join("\n") || (textAt(call, "rawOutput", "output") ?? textAt(call, "rawOutput") ?? titleOf(call))
  );
}
