import { beginningOf, detailOf, endOf, LONGEST_DETAIL, LONGEST_PATH, LONGEST_SAID } from "../bounded-text.ts";
import type { Sighting } from "../driver.ts";
import { objectAt, objectsAt, textAt, valueAt, type JsonObject } from "../json-line.ts";

const EDITORS = new Set(["Write", "Edit", "MultiEdit", "NotebookEdit"]);

/** The most telling field of a tool's input: the first of these that exists. */
const TELLING = [
  "command",
  "file_path",
  "notebook_path",
  "pattern",
  "url",
  "query",
  "skill",
  "path",
  "description",
  "subject",
  "prompt",
];

/** A tool call in a model's answer. */
export interface ToolUse {
  readonly id: string;
  readonly tool: string;
  readonly detail: string;
  /** The file it writes; null for tools that write none. */
  readonly writes: string | null;
}

/** null for blocks of an answer that aren't tool calls. */
export function toolUseIn(block: JsonObject, cwd: string | null): ToolUse | null {
  const type = textAt(block, "type");
  const id = textAt(block, "id");
  if (id === null || type === null || !type.endsWith("tool_use")) return null;
  const tool = textAt(block, "name") ?? type;
  const input = objectAt(block, "input");
  const path = textAt(input, "file_path") ?? textAt(input, "notebook_path");
  const telling = TELLING.map((name) => textAt(input, name)).find((text) => text !== null) ?? "";
  return {
    id: beginningOf(id, LONGEST_DETAIL),
    tool: detailOf(tool),
    detail: detailOf(telling === path ? withinProject(path, cwd) : telling),
    writes: EDITORS.has(tool) && path !== null && path.length <= LONGEST_PATH ? path : null,
  };
}

/** The result of a tool. `use` is null if its start was not seen. */
export function outcomeOf(result: JsonObject, use: ToolUse | null): Sighting | null {
  if (valueAt(result, "is_error") !== true) {
    return use === null || use.writes === null ? null : { type: "edited", path: use.writes };
  }
  const output = outputOf(result);
  return {
    type: "failed",
    output: output === "" ? `${use?.tool ?? "a tool"} failed without a message` : endOf(output, LONGEST_SAID),
  };
}

/** The client marks its own complaints about a call. */
export function outputOf(result: JsonObject): string {
  const whole = textAt(result, "content");
  const parts = objectsAt(result, "content").map((part) => textAt(part, "text") ?? "");
  return (whole ?? parts.join("\n")).replace(/<\/?tool_use_error>/g, "").trim();
}

/** The path relative to the project; unchanged if it is outside. */
export function withinProject(path: string, cwd: string | null): string {
  const root = cwd === null ? null : slashed(cwd).replace(/\/$/, "");
  const whole = slashed(path);
  return root !== null && whole.startsWith(`${root}/`) ? whole.slice(root.length + 1) : path;
}

function slashed(path: string): string {
  return /^[A-Za-z]:\\/.test(path) ? path.replaceAll("\\", "/") : path;
}
