import { detailOf, LONGEST_DETAIL } from "../bounded-text.ts";
import type { Denial } from "../driver.ts";
import { objectAt, objectsAt, textAt, type JsonObject } from "../json-line.ts";
import { shellRules } from "./shell-rules.ts";
import { withinProject } from "./tool.ts";

/** What a rule is derived from, besides the call itself. */
export interface Refusals {
  readonly cwd: string | null;
  /** The client's answer to each refused call, by call id. */
  readonly answers: ReadonlyMap<string, string>;
}

const ALLOW_EVERYTHING = "--permission-mode bypassPermissions";
const FILE_TOOLS = new Set(["Write", "Edit", "MultiEdit", "NotebookEdit"]);

/** What was refused in a turn, with rules in the syntax of `--allowedTools` and `permissions.allow`. */
export function denialsIn(result: JsonObject, refusals: Refusals): readonly Denial[] {
  return objectsAt(result, "permission_denials").flatMap((call) => {
    const tool = textAt(call, "tool_name") ?? "";
    const answer = refusals.answers.get(textAt(call, "tool_use_id") ?? "") ?? "";
    // The user's own rule denies it, so no other rule can allow it.
    if (tool === "" || answer.endsWith("has been denied.")) return [];
    const rules = rulesFor(tool, objectAt(call, "tool_input") ?? {}, answer, refusals.cwd);
    return rules.map((rule) => ({
      tool: detailOf(tool),
      rule: rule.length <= LONGEST_DETAIL ? rule : detailOf(tool),
    }));
  });
}

function rulesFor(tool: string, input: JsonObject, answer: string, cwd: string | null): readonly string[] {
  if (tool === "Bash") return shellRules(textAt(input, "command") ?? "", answer, cwd);
  const path = textAt(input, "file_path") ?? textAt(input, "notebook_path");
  if (path !== null && FILE_TOOLS.has(tool)) return [fileRule("Edit", path, answer, cwd)];
  if (path !== null && tool === "Read") return [fileRule("Read", path, answer, cwd)];
  const host = tool === "WebFetch" ? hostOf(textAt(input, "url") ?? "") : null;
  if (host !== null) return [`WebFetch(domain:${host})`];
  const skill = tool === "Skill" ? textAt(input, "skill") : null;
  return [skill === null ? tool : `${tool}(${skill})`];
}

/** One rule for a folder: `Edit` covers every tool that writes files, `Write(PATH)` covers none. */
function fileRule(kind: string, path: string, answer: string, cwd: string | null): string {
  if (/plan mode/.test(answer)) return "--permission-mode acceptEdits";
  const name = withinProject(path, cwd);
  // No rule covers the client's own settings, or files through which a project could run commands.
  if (/sensitive file/.test(answer) || /^\.(?:claude|git)\//.test(name)) return ALLOW_EVERYTHING;
  const isInside = name !== path || !/^(?:[A-Za-z]:[\\/]|\/|~)/.test(path);
  const [first = "", ...rest] = name.split("/");
  if (isInside)
    return `${kind}(${rest.length === 0 ? withoutPatterns(first) : `${withoutPatterns(first)}/**`})`;
  const folder = name
    .replace(/^([A-Za-z]):/, (_, drive: string) => `/${drive.toLowerCase()}`)
    .replaceAll("\\", "/")
    .replace(/\/[^/]*$/, "");
  return `${kind}(/${folder}/**)`;
}

/** Escapes characters that would be a pattern after a star. */
function withoutPatterns(name: string): string {
  return name.replace(/[[\]{}()!?*\\]+/g, "*");
}

function hostOf(url: string): string | null {
  return /^https?:\/\/([^/:?#@\s]+)/i.exec(url)?.[1]?.toLowerCase() ?? null;
}
