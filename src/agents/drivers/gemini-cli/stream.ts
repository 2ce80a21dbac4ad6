import { parseSessionId } from "../../../core/loop/id.ts";
import { beginningOf, detailOf, endOf, LONGEST_MESSAGE, LONGEST_PATH, LONGEST_SAID } from "../bounded-text.ts";
import { startDenials } from "../denial-list.ts";
import { NO_BILL } from "../driver.ts";
import type { Sighting, StreamReader, Turn } from "../driver.ts";
import { objectAt, parseJsonLine, textAt } from "../json-line.ts";
import type { JsonObject } from "../json-line.ts";
import { billOf } from "./bill.ts";
import { denialOf } from "./denial.ts";
import type { ToolCall } from "./denial.ts";
import { troubleOf } from "./trouble.ts";

const WRITING_TOOLS = new Set(["write_file", "replace"]);
/** How the model tells people what it is doing. It has no effect, so it doesn't count as tool use. */
const NARRATION = "update_topic";
/** What the client shows for a failed command without output. With output, it shows only the output. */
const SILENT_FAILURE = /^Command (?:exited with code: |terminated by signal: |failed: )/;

/** Reads `--output-format stream-json`. Between its messages the client may print anything, so no line is trusted. */
export function readStream(turn: Pick<Turn, "conversation">): StreamReader {
  const resumed = parseSessionId(turn.conversation);
  let conversation: string | null = resumed;
  let begun = false;
  /** The model's words since its last tool use. */
  let words = "";
  let toolUses = 0;
  let bill = NO_BILL;
  let complaint: string | null = null;
  let result: JsonObject | null = null;
  const calls = new Map<string, ToolCall>();
  const denied = startDenials();

  function see(message: JsonObject): readonly Sighting[] {
    switch (textAt(message, "type")) {
      case "init":
        return seeBeginning(message);
      case "message":
        if (textAt(message, "role") === "assistant") hear(textAt(message, "content") ?? "");
        return [];
      case "tool_use":
        return seeUse(message);
      case "tool_result":
        return seeOutcome(message);
      case "error":
        complaint = textAt(message, "message");
        return [];
      case "result":
        result = message;
        bill = billOf(objectAt(message, "stats"));
        return bill.usage.length === 0 ? said() : [...said(), { type: "billed", bill }];
      case null:
      default:
        return [];
    }
  }

  function seeBeginning(message: JsonObject): readonly Sighting[] {
    begun = true;
    const id = parseSessionId(textAt(message, "session_id"));
    if (id === null) return [];
    conversation = id;
    return [{ type: "conversation", id }];
  }

  function hear(piece: string): void {
    words += piece;
    // Trimmed only now and then, so that many short pieces don't each copy all of it.
    if (words.length > 2 * LONGEST_MESSAGE) words = endOf(words, LONGEST_MESSAGE);
  }

  function said(): readonly Sighting[] {
    const text = words.trim();
    return text === "" ? [] : [{ type: "said", text: beginningOf(text, LONGEST_SAID) }];
  }

  function seeUse(message: JsonObject): readonly Sighting[] {
    const saidBefore = said();
    words = "";
    const tool = textAt(message, "tool_name");
    if (tool === null || tool === NARRATION) return saidBefore;
    const parameters = objectAt(message, "parameters");
    toolUses += 1;
    calls.set(textAt(message, "tool_id") ?? "", { tool, parameters });
    return [...saidBefore, { type: "used", tool: detailOf(tool), detail: detailOf(gistOf(parameters)) }];
  }

  function seeOutcome(message: JsonObject): readonly Sighting[] {
    const id = textAt(message, "tool_id") ?? "";
    const call = calls.get(id);
    if (call === undefined) return [];
    calls.delete(id);
    const output = textAt(message, "output") ?? "";
    if (textAt(message, "status") === "error") {
      const denial = denialOf(call, objectAt(message, "error"));
      if (denial !== null) {
        toolUses -= 1;
        denied.add(denial);
      }
      return [failed(textAt(message, "error", "message") ?? output)];
    }
    if (call.tool === "run_shell_command" && SILENT_FAILURE.test(output)) return [failed(output)];
    const path = WRITING_TOOLS.has(call.tool) ? textAt(call.parameters, "file_path") : null;
    return path === null || path.length > LONGEST_PATH ? [] : [{ type: "edited", path }];
  }

  return {
    line(text) {
      const message = result === null ? parseJsonLine(text) : null;
      return message === null ? [] : see(message);
    },
    end(ending, at) {
      const lastMessage = endOf(words, LONGEST_MESSAGE).trim();
      const idle = lastMessage === "" && toolUses === 0 && bill.usage.length === 0;
      return {
        trouble: troubleOf({ result, complaint, begun, idle, resumed: resumed !== null }, ending, at),
        lastMessage: lastMessage === "" ? null : lastMessage,
        conversation,
        toolUses,
        bill,
        reportedUsd: null,
        denials: denied.denials,
      };
    },
  };
}

function failed(output: string): Sighting {
  return { type: "failed", output: endOf(output, LONGEST_SAID) };
}

/** The parameter that best describes the call. */
function gistOf(parameters: JsonObject | null): string {
  const first = Object.values(parameters ?? {}).find((value) => typeof value === "string");
  return textAt(parameters, "command") ?? textAt(parameters, "file_path") ?? first ?? "";
}
