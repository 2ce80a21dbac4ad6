import { parseSessionId } from "../../../core/loop/id.ts";
import {
  beginningOf,
  endOf,
  LONGEST_MESSAGE,
  LONGEST_SAID,
  detailOf,
  LONGEST_PATH,
} from "../bounded-text.ts";
import { NO_BILL, type AgentEvent, type StreamReader, type Turn, type Bill, type Denial } from "../driver.ts";
import {
  flagAt,
  numberAt,
  objectAt,
  parseJsonLine,
  textAt,
  countAt,
  objectsAt,
  valueAt,
} from "../json-line.ts";
import type { JsonObject } from "../json-line.ts";
import { askedIn, isOverflow, troubleOf, type Failure } from "./trouble.ts";
import { NO_USAGE, type Usage } from "../../cost/transcript.ts";
import { startDenials } from "../permissions.ts";

const KNOWN = new Set(["step_start", "text", "reasoning", "tool_use", "step_finish", "error"]);
/** After these the client asks the model again: with the results of its tools, or because its answer broke off. */
const NOT_THE_END = new Set(["tool-calls", "unknown"]);
const LATEST = Date.UTC(3000, 0);

/** Reads `opencode run --format=json`. One step is one answer of the model with the results of its tools. */
export function readEvents(turn: Pick<Turn, "model" | "conversation">): StreamReader {
  const resumed = parseSessionId(turn.conversation);
  let conversation: string | null = resumed;
  let told: string | null = null;
  let sum = NOTHING;
  let bill = NO_BILL;
  let failure: Failure | null = null;
  let begun = false;
  let ended = false;
  /** The next step is a summary of a conversation that got too long, not an answer. */
  let summarizing = false;
  let refusedInStep = false;
  /** The model's words in the last step. */
  let words = "";
  let toolUses = 0;
  const refused: RefusedTool[] = [];

  function see(event: JsonObject): readonly AgentEvent[] {
    const part = objectAt(event, "part");
    switch (textAt(event, "type")) {
      case "step_start":
        beginStep();
        return [];
      case "text":
        return hear(part);
      case "tool_use":
        return seeTool(part);
      case "step_finish":
        return endStep(part);
      case "error":
        return seeFailure(event);
      case null:
      default:
        return [];
    }
  }

  function beginStep(): void {
    begun = true;
    ended = false;
    failure = null;
    refusedInStep = false;
    words = "";
  }

  function hear(part: JsonObject | null): readonly AgentEvent[] {
    // The client itself asks the model to continue, so what came before was a summary.
    if (flagAt(part, "synthetic")) {
      ended = false;
      words = "";
      return [];
    }
    const text = (textAt(part, "text") ?? "").trim();
    if (text === "") return [];
    words = endOf(words === "" ? text : `${words}\n\n${text}`, LONGEST_MESSAGE);
    return [{ type: "said", text: beginningOf(text, LONGEST_SAID) }];
  }

  function seeTool(part: JsonObject | null): readonly AgentEvent[] {
    const use = toolUseIn(part);
    if (use === null) return [];
    if (use.counts) toolUses += 1;
    if (use.refused !== null) {
      if (use.refused === "asked") refusedInStep = true;
      refused.push({ tool: use.tool, command: use.command, asked: use.refused === "asked" });
    }
    return use.agentEvents;
  }

  function endStep(part: JsonObject | null): readonly AgentEvent[] {
    const reason = textAt(part, "reason") ?? "unknown";
    ended = refusedInStep || (!summarizing && !NOT_THE_END.has(reason));
    summarizing = false;
    sum = withStep(sum, part);
    bill = billOf(sum, turn.model);
    const billed: AgentEvent = { type: "billed", bill };
    return reason === "unknown"
      ? [billed, { type: "retrying", detail: "the model's answer broke off" }]
      : [billed];
  }

  function seeFailure(event: JsonObject): readonly AgentEvent[] {
    const error = objectAt(event, "error");
    if (error === null) return [];
    const at = numberAt(event, "timestamp");
    failure = { error, at: at !== null && at > 0 && at < LATEST ? at : null };
    summarizing = isOverflow(error);
    if (!summarizing) return [];
    return [{ type: "retrying", detail: "the conversation got too long and is being summarized" }];
  }

  /** Every event names its conversation; the first one is enough. */
  function opened(event: JsonObject): readonly AgentEvent[] {
    const id = parseSessionId(textAt(event, "sessionID"));
    if (id === null || id === told || !KNOWN.has(textAt(event, "type") ?? "")) return [];
    conversation = told = id;
    return [{ type: "conversation", id }];
  }

  return {
    line(text) {
      const event = parseJsonLine(text);
      return event === null ? [] : [...opened(event), ...see(event)];
    },
    end(ending, at) {
      const stderr = "stderr" in ending ? ending.stderr : "";
      return {
        trouble: troubleOf({ failure, ended, begun, resumed: resumed !== null }, ending, at),
        lastMessage: words === "" ? null : words,
        conversation,
        toolUses,
        bill,
        reportedUsd: null,
        denials: denialsOf(refused, askedIn(stderr)),
      };
    },
  };
}

const MOST_USD = 1_000_000;

/** The total cost of the model's answers in one turn. */
interface Sum {
  readonly usd: number;
  readonly usage: Usage;
}

const NOTHING: Sum = { usd: 0, usage: NO_USAGE };

/** opencode counts cache and reasoning tokens separately from input and output. */
function withStep(sum: Sum, step: JsonObject | null): Sum {
  const { usage } = sum;
  return {
    usd: sum.usd + Math.min(Math.max(numberAt(step, "cost") ?? 0, 0), MOST_USD),
    usage: {
      ...usage,
      input: usage.input + countAt(step, "tokens", "input"),
      output: usage.output + countAt(step, "tokens", "output") + countAt(step, "tokens", "reasoning"),
      cacheRead: usage.cacheRead + countAt(step, "tokens", "cache", "read"),
      cacheWrite: usage.cacheWrite + countAt(step, "tokens", "cache", "write"),
    },
  };
}

/** opencode reports zero for a model without a price, so zero means unknown. */
function billOf({ usd, usage }: Sum, model: string | null): Bill {
  return { usd: usd > 0 ? usd : null, usage: [{ model, usage }] };
}

/** A tool that the model used or tried to use. Reported once, at its end. */
interface ToolUse {
  readonly tool: string;
  /** Refused because nobody was there to ask, which ends the turn; refused by a rule for the whole tool; or not refused. */
  readonly refused: "asked" | "rule" | null;
  /** The shell command. */
  readonly command: string | null;
  /** It did something or could have. */
  readonly counts: boolean;
  readonly agentEvents: readonly AgentEvent[];
}

const REJECTED = /^The user rejected permission to use this specific tool call/;
/** Lists all rules for the tool. A rule against some patterns is the user's own, and only about those. */
const PREVENTED = /^The user has specified a rule which prevents you from using this specific tool call\./;
const DENIED_PATTERN = /\{(?=[^{}]*"action":"deny")[^{}]*"pattern":"(?!\*")/;
/** Marks an unknown tool or invalid arguments. */
const INVALID = "invalid";

function toolUseIn(part: JsonObject | null): ToolUse | null {
  const tool = textAt(part, "tool");
  const state = objectAt(part, "state");
  if (tool === null || state === null) return null;
  const error = textAt(state, "status") === "error" ? (textAt(state, "error") ?? "it failed") : null;
  const refused = refusalOf(error);
  const counts = refused === null && tool !== INVALID;
  return {
    tool,
    refused,
    command: textAt(state, "input", "command"),
    counts,
    agentEvents: [...(counts ? [useOf(tool, state)] : []), ...outcomeOf(tool, state, error)],
  };
}

function refusalOf(error: string | null): ToolUse["refused"] {
  if (error === null) return null;
  if (REJECTED.test(error)) return "asked";
  return PREVENTED.test(error) && !DENIED_PATTERN.test(error) ? "rule" : null;
}

function useOf(tool: string, state: JsonObject): AgentEvent {
  const input = objectAt(state, "input");
  const first = Object.values(input ?? {}).find((value) => typeof value === "string");
  const gist =
    textAt(input, "command") ?? textAt(input, "filePath") ?? textAt(input, "pattern") ?? first ?? "";
  return { type: "used", tool: detailOf(tool), detail: detailOf(gist) };
}

function outcomeOf(tool: string, state: JsonObject, error: string | null): readonly AgentEvent[] {
  const output = textAt(state, "output") ?? "";
  if (error !== null || tool === INVALID) return [failed(error ?? output)];
  // null: it hit its time limit.
  const exit = valueAt(state, "metadata", "exit");
  if (tool === "bash" && exit !== 0 && exit !== undefined) return [failed(output)];
  return pathsOf(tool, state).map((path) => ({ type: "edited", path }));
}

/** Files a tool has written, without deleted ones. */
function pathsOf(tool: string, state: JsonObject): readonly string[] {
  const metadata = objectAt(state, "metadata");
  const input = textAt(state, "input", "filePath");
  switch (tool) {
    case "write":
      return usable([textAt(metadata, "filepath") ?? input]);
    case "edit":
      return usable([textAt(metadata, "filediff", "file") ?? input]);
    case "apply_patch":
      return usable(
        objectsAt(metadata, "files")
          .filter((file) => textAt(file, "type") !== "delete")
          .map((file) => textAt(file, "movePath") ?? textAt(file, "filePath")),
      );
    default:
      return [];
  }
}

function usable(paths: readonly (string | null)[]): readonly string[] {
  return paths.flatMap((path) => (path === null || path.length > LONGEST_PATH ? [] : path));
}

function failed(output: string): AgentEvent {
  return { type: "failed", output: endOf(output, LONGEST_SAID) };
}

/** A refused tool, with the command it should have run. */
interface RefusedTool {
  readonly tool: string;
  readonly command: string | null;
  /** Whether it was refused because nobody was there to ask; otherwise a rule denied it. */
  readonly asked: boolean;
}

const WRITING_TOOLS = new Set(["write", "edit", "apply_patch"]);

/** Refused tools and the permissions that opencode asked for, both in the order reported. */
function denialsOf(tools: readonly RefusedTool[], asked: readonly string[]): readonly Denial[] {
  const denied = startDenials();
  const askers = tools.filter((each) => each.asked);
  for (const each of tools) {
    const permission = askers.length === asked.length ? asked[askers.indexOf(each)] : undefined;
    denied.add({ tool: detailOf(each.tool), rule: ruleFor(each, permission) });
  }
  return denied.denials;
}

/** A command that cannot start a second one. */
const PLAIN_COMMAND = /^([\w.+-]+)(?: [\w@%+=:,./ -]*)?$/;

/** What would allow it. It contains no more of the model's command than the program's name. */
function ruleFor({ tool, command }: RefusedTool, permission: string | undefined): string {
  const needed = permission ?? (WRITING_TOOLS.has(tool) ? "edit" : tool);
  const program = needed === "bash" ? PLAIN_COMMAND.exec(command ?? "")?.[1] : undefined;
  if (program !== undefined) return `bash(${detailOf(program)} *)`;
  return /^[\w-]{1,64}$/.test(needed) ? needed : "--permission-mode auto";
}
