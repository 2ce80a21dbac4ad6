import { parseSessionId } from "../../../core/loop/id.ts";
import {
  beginningOf,
  detailOf,
  endOf,
  LONGEST_MESSAGE,
  LONGEST_PATH,
  LONGEST_SAID,
} from "../bounded-text.ts";
import { startDenials } from "../permissions.ts";
import { NO_BILL, type AgentEvent, type StreamReader, type Turn, type Bill, type Denial } from "../driver.ts";
import { objectAt, parseJsonLine, textAt, asObject, countAt, type JsonObject } from "../json-line.ts";
import { troubleOf } from "./trouble.ts";
import { NO_USAGE, type Usage } from "../../cost/transcript.ts";

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

  function see(message: JsonObject): readonly AgentEvent[] {
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

  function seeBeginning(message: JsonObject): readonly AgentEvent[] {
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

  function said(): readonly AgentEvent[] {
    const text = words.trim();
    return text === "" ? [] : [{ type: "said", text: beginningOf(text, LONGEST_SAID) }];
  }

  function seeUse(message: JsonObject): readonly AgentEvent[] {
    const saidBefore = said();
    words = "";
    const tool = textAt(message, "tool_name");
    if (tool === null || tool === NARRATION) return saidBefore;
    const parameters = objectAt(message, "parameters");
    toolUses += 1;
    calls.set(textAt(message, "tool_id") ?? "", { tool, parameters });
    return [...saidBefore, { type: "used", tool: detailOf(tool), detail: detailOf(gistOf(parameters)) }];
  }

  function seeOutcome(message: JsonObject): readonly AgentEvent[] {
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

function failed(output: string): AgentEvent {
  return { type: "failed", output: endOf(output, LONGEST_SAID) };
}

/** The parameter that best describes the call. */
function gistOf(parameters: JsonObject | null): string {
  const first = Object.values(parameters ?? {}).find((value) => typeof value === "string");
  return textAt(parameters, "command") ?? textAt(parameters, "file_path") ?? first ?? "";
}

const MOST_MODELS = 20;

/** The client's own count at the end of a turn, by model. It covers only this process, without dollars. */
function billOf(stats: JsonObject | null): Bill {
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

/** A model's call of one of the client's tools. */
interface ToolCall {
  readonly tool: string;
  readonly parameters: JsonObject | null;
}

/** Tools that the client doesn't offer if nobody can be asked and the mode doesn't allow them. */
const WITHHELD = new Set(["write_file", "replace", "web_fetch", "run_shell_command", "activate_skill"]);
const ALLOWED_BY_AUTO_EDIT = new Set(["write_file", "replace", "web_fetch"]);
/** A command that cannot start a second one. */
const PLAIN_COMMAND = /^([\w.+-]+)(?: [\w@%+=:,./ -]*)?$/;

/** null if the call failed for a reason other than missing permission. */
function denialOf(call: ToolCall, error: JsonObject | null): Denial | null {
  const type = textAt(error, "type");
  const message = textAt(error, "message") ?? "";
  const denied =
    type === "policy_violation" ||
    (type === "tool_not_registered" && WITHHELD.has(call.tool)) ||
    message.includes("requires user confirmation, which is not supported in non-interactive mode");
  return denied ? { tool: detailOf(call.tool), rule: ruleFor(call) } : null;
}

/** What would allow the call. */
function ruleFor({ tool, parameters }: ToolCall): string {
  if (ALLOWED_BY_AUTO_EDIT.has(tool)) return "--permission-mode auto_edit";
  const program = PLAIN_COMMAND.exec(textAt(parameters, "command") ?? "")?.[1];
  if (tool !== "run_shell_command" || program === undefined) return "--permission-mode yolo";
  return `run_shell_command(${detailOf(program)})`;
}
