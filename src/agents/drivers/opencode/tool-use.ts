import { detailOf, endOf, LONGEST_PATH, LONGEST_SAID } from "../bounded-text.ts";
import type { Sighting } from "../driver.ts";
import { objectAt, objectsAt, textAt, valueAt, type JsonObject } from "../json-line.ts";

/** A tool that the model used or tried to use. Reported once, at its end. */
export interface ToolUse {
  readonly tool: string;
  /** Refused because nobody was there to ask, which ends the turn; refused by a rule for the whole tool; or not refused. */
  readonly refused: "asked" | "rule" | null;
  /** The shell command. */
  readonly command: string | null;
  /** It did something or could have. */
  readonly counts: boolean;
  readonly sightings: readonly Sighting[];
}

const REJECTED = /^The user rejected permission to use this specific tool call/;
/** Lists all rules for the tool. A rule against some patterns is the user's own, and only about those. */
const PREVENTED = /^The user has specified a rule which prevents you from using this specific tool call\./;
const DENIED_PATTERN = /\{(?=[^{}]*"action":"deny")[^{}]*"pattern":"(?!\*")/;
/** Marks an unknown tool or invalid arguments. */
const INVALID = "invalid";

export function toolUseIn(part: JsonObject | null): ToolUse | null {
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
    sightings: [...(counts ? [useOf(tool, state)] : []), ...outcomeOf(tool, state, error)],
  };
}

function refusalOf(error: string | null): ToolUse["refused"] {
  if (error === null) return null;
  if (REJECTED.test(error)) return "asked";
  return PREVENTED.test(error) && !DENIED_PATTERN.test(error) ? "rule" : null;
}

function useOf(tool: string, state: JsonObject): Sighting {
  const input = objectAt(state, "input");
  const first = Object.values(input ?? {}).find((value) => typeof value === "string");
  const gist =
    textAt(input, "command") ?? textAt(input, "filePath") ?? textAt(input, "pattern") ?? first ?? "";
  return { type: "used", tool: detailOf(tool), detail: detailOf(gist) };
}

function outcomeOf(tool: string, state: JsonObject, error: string | null): readonly Sighting[] {
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

function failed(output: string): Sighting {
  return { type: "failed", output: endOf(output, LONGEST_SAID) };
}
