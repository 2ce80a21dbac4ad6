import { parseSessionId } from "../../../core/loop/id.ts";
import { NO_USAGE, greaterOf, tokensOf, type Usage } from "../../cost/transcript.ts";
import {
  beginningOf,
  detailOf,
  endOf,
  LONGEST_MESSAGE,
  LONGEST_SAID,
  LONGEST_PATH,
} from "../bounded-text.ts";
import { startDenials } from "../permissions.ts";
import { NO_BILL } from "../driver.ts";
import type { AgentEvent, StreamReader, Turn, TurnReport, Denial } from "../driver.ts";
import { objectAt, parseJsonLine, textAt, countAt, numberAt, objectsAt } from "../json-line.ts";
import type { JsonObject } from "../json-line.ts";
import { denialsIn, troubleOf, type TurnEnd } from "./trouble.ts";

/** Codex reports figures for the whole conversation, over all its turns. */
interface ReportedUsage {
  /** The last reported total of the conversation; null if never reported. */
  readonly reportedUsage: Usage | null;
}

type CodexTurn = Pick<Turn, "model" | "conversation"> & Partial<ReportedUsage>;

const LONGEST_FAILURE = 8 * 1024;
/** The client retries and hasn't failed yet. */
const RETRYING = /^Reconnecting\.\.\./;

/** Reads `codex exec --json`. */
export function readEvents(turn: CodexTurn): StreamReader {
  let conversation: string | null = parseSessionId(turn.conversation);
  let reportedUsage = turn.reportedUsage ?? null;
  let reportedBefore = reportedUsage;
  let bill = NO_BILL;
  let end: TurnEnd = { type: "none" };
  let lastMessage: string | null = null;
  const uses = new Set<string>();
  const denied = startDenials();

  function see(event: JsonObject): readonly AgentEvent[] {
    const item = objectAt(event, "item");
    switch (textAt(event, "type")) {
      case "thread.started":
        return opened(textAt(event, "thread_id"));
      case "turn.started":
        end = { type: "none" };
        return [];
      case "item.started":
        return item === null ? [] : used(item);
      case "item.completed":
        return item === null ? [] : [...used(item), ...completed(item)];
      case "turn.completed":
        end = { type: "completed" };
        return billed(objectAt(event, "usage"));
      case "turn.failed":
        return failed(textAt(event, "error", "message"));
      case "error":
        return failed(textAt(event, "message"));
      case null:
      default:
        return [];
    }
  }

  function opened(thread: string | null): readonly AgentEvent[] {
    const id = parseSessionId(thread);
    if (id === null) return [];
    // A conversation other than the requested one starts counting from zero.
    if (id !== conversation) reportedUsage = reportedBefore = null;
    conversation = id;
    return [{ type: "conversation", id }];
  }

  /** Most tools are reported twice, at their start and their end. */
  function used(item: JsonObject): readonly AgentEvent[] {
    const id = textAt(item, "id");
    if (!isTool(item) || id === null || uses.has(id)) return [];
    uses.add(id);
    return [useOf(item)];
  }

  function completed(item: JsonObject): readonly AgentEvent[] {
    const said = saidIn(item);
    if (said !== null) {
      lastMessage = endOf(said, LONGEST_MESSAGE);
      return [{ type: "said", text: beginningOf(said, LONGEST_SAID) }];
    }
    if (!isTool(item)) return [];
    const denial = denialOf(item);
    if (denial !== null) denied.add(denial);
    return outcomeOf(item);
  }

  function billed(usage: JsonObject | null): readonly AgentEvent[] {
    if (usage === null) return [];
    reportedUsage = usageFrom(usage);
    const known = bill.usage[0]?.usage ?? NO_USAGE;
    const used = greaterOf(known, usageSince(reportedBefore, reportedUsage));
    bill = { usd: null, usage: [{ model: turn.model, usage: used }] };
    return [{ type: "billed", bill }];
  }

  function failed(message: string | null): readonly AgentEvent[] {
    if (message !== null && RETRYING.test(message)) return [{ type: "retrying", detail: detailOf(message) }];
    if (end.type === "completed") return [];
    end = { type: "failed", message: beginningOf(message ?? "Codex gave no reason", LONGEST_FAILURE) };
    return [];
  }

  return {
    line(text) {
      const event = parseJsonLine(text);
      return event === null ? [] : see(event);
    },
    end(ending, at) {
      for (const denial of denialsIn(ending)) denied.add(denial);
      const report: TurnReport & ReportedUsage = {
        trouble: troubleOf(end, ending, at),
        lastMessage,
        conversation,
        toolUses: uses.size,
        bill,
        reportedUsd: null,
        reportedUsage,
        denials: denied.denials,
      };
      return report;
    },
  };
}

/** Codex's `input_tokens` include those of the cache, and its `output_tokens` those of reasoning. */
export function usageFrom(usage: JsonObject): Usage {
  const cacheRead = countAt(usage, "cached_input_tokens");
  const cacheWrite = countAt(usage, "cache_write_input_tokens");
  return {
    ...NO_USAGE,
    input: Math.max(countAt(usage, "input_tokens") - cacheRead - cacheWrite, 0),
    output: countAt(usage, "output_tokens"),
    cacheWrite,
    cacheRead,
  };
}

/** What was added since an earlier total. A total that fell was restarted, so all of it is new. */
export function usageSince(before: Usage | null, total: Usage): Usage {
  if (before === null || tokensOf(total) < tokensOf(before)) return total;
  return {
    ...total,
    input: Math.max(total.input - before.input, 0),
    output: Math.max(total.output - before.output, 0),
    cacheWrite: Math.max(total.cacheWrite - before.cacheWrite, 0),
    cacheRead: Math.max(total.cacheRead - before.cacheRead, 0),
  };
}

/** Items that are words or notes of the client. Any other item is a tool use, even of an unknown tool. */
const NO_TOOLS = new Set(["agent_message", "reasoning", "plan", "todo_list", "error"]);

function isTool(item: JsonObject): boolean {
  const type = textAt(item, "type");
  return type !== null && !NO_TOOLS.has(type);
}

function useOf(item: JsonObject): AgentEvent {
  return { type: "used", tool: detailOf(toolOf(item)), detail: detailOf(inputOf(item)) };
}

/** What a finished tool did, and whether it failed. */
function outcomeOf(item: JsonObject): readonly AgentEvent[] {
  const failure = failureOf(item);
  if (failure !== null) return [{ type: "failed", output: endOf(failure, LONGEST_SAID) }];
  return textAt(item, "type") === "file_change" ? writtenPaths(item).map(edited) : [];
}

/** A declined command, or a valid change that could not be written, for example because the sandbox doesn't work. */
function denialOf(item: JsonObject): Denial | null {
  const status = textAt(item, "status");
  const refused = status === "declined" || (status === "failed" && textAt(item, "type") === "file_change");
  return refused ? { tool: detailOf(toolOf(item)), rule: "--permission-mode danger-full-access" } : null;
}

function saidIn(item: JsonObject): string | null {
  return textAt(item, "type") === "agent_message" ? textAt(item, "text") : null;
}

function edited(path: string): AgentEvent {
  return { type: "edited", path };
}

function toolOf(item: JsonObject): string {
  const type = textAt(item, "type") ?? "";
  switch (type) {
    case "command_execution":
      return "shell";
    case "file_change":
      return "apply_patch";
    default:
      return [textAt(item, "server"), textAt(item, "tool") ?? type].filter((part) => part !== null).join(".");
  }
}

function inputOf(item: JsonObject): string {
  const command = textAt(item, "command");
  if (command !== null) return bareCommand(command);
  const paths = objectsAt(item, "changes").map((change) => textAt(change, "path") ?? "");
  if (paths.length > 0) return paths.join(" ");
  return textAt(item, "query") ?? textAt(item, "prompt") ?? "";
}

/** The command line without the shell that runs it: `/bin/bash -lc 'npm test'`. */
function bareCommand(command: string): string {
  const line = /^\S*sh -l?c ([\s\S]+)$/.exec(command)?.[1];
  if (line === undefined) return command;
  return /^'([^']*)'$/.exec(line)?.[1] ?? line;
}

function failureOf(item: JsonObject): string | null {
  const exitCode = numberAt(item, "exit_code") ?? 0;
  const status = textAt(item, "status");
  if (exitCode === 0 && status !== "failed" && status !== "declined") return null;
  const output =
    textAt(item, "aggregated_output") ??
    textAt(item, "error", "message") ??
    objectsAt(item, "result", "content")
      .map((part) => textAt(part, "text") ?? "")
      .join("\n");
  if (output.trim() !== "") return output;
  const reason = exitCode === 0 ? (status ?? "failed") : `exit code ${exitCode}`;
  return `${toolOf(item)} ${beginningOf(inputOf(item), LONGEST_SAID / 2)}: ${reason}`;
}

/** A deleted file can no longer be read. */
function writtenPaths(item: JsonObject): readonly string[] {
  return objectsAt(item, "changes").flatMap((change) => {
    const path = textAt(change, "path");
    const isThere = path !== null && path.length <= LONGEST_PATH && textAt(change, "kind") !== "delete";
    return isThere ? [path] : [];
  });
}
