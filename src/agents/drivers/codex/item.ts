import { beginningOf, detailOf, endOf, LONGEST_PATH, LONGEST_SAID } from "../bounded-text.ts";
import type { Denial, Sighting } from "../driver.ts";
import { numberAt, objectsAt, textAt, type JsonObject } from "../json-line.ts";

/** Items that are words or notes of the client. Any other item is a tool use, even of an unknown tool. */
const NO_TOOLS = new Set(["agent_message", "reasoning", "plan", "todo_list", "error"]);

export function isTool(item: JsonObject): boolean {
  const type = textAt(item, "type");
  return type !== null && !NO_TOOLS.has(type);
}

export function useOf(item: JsonObject): Sighting {
  return { type: "used", tool: detailOf(toolOf(item)), detail: detailOf(inputOf(item)) };
}

/** What a finished tool did, and whether it failed. */
export function outcomeOf(item: JsonObject): readonly Sighting[] {
  const failure = failureOf(item);
  if (failure !== null) return [{ type: "failed", output: endOf(failure, LONGEST_SAID) }];
  return textAt(item, "type") === "file_change" ? writtenPaths(item).map(edited) : [];
}

/** A declined command, or a valid change that could not be written, for example because the sandbox doesn't work. */
export function denialOf(item: JsonObject): Denial | null {
  const status = textAt(item, "status");
  const refused = status === "declined" || (status === "failed" && textAt(item, "type") === "file_change");
  return refused ? { tool: detailOf(toolOf(item)), rule: "--permission-mode danger-full-access" } : null;
}

export function saidIn(item: JsonObject): string | null {
  return textAt(item, "type") === "agent_message" ? textAt(item, "text") : null;
}

function edited(path: string): Sighting {
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
