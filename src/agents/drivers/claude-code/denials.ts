import { detailOf, LONGEST_DETAIL, beginningOf, endOf, LONGEST_PATH, LONGEST_SAID } from "../bounded-text.ts";
import type { Denial, AgentEvent } from "../driver.ts";
import { objectAt, objectsAt, textAt, valueAt, type JsonObject } from "../json-line.ts";

/** What a rule is derived from, besides the call itself. */
interface Refusals {
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

/** Refusals that a rule for the single command resolves. Only `Bash` allows anything else the client objects to. */
const ASKED_FOR_COMMAND = /^This command requires approval|parts? requires? approval:|don't ask mode/;
/** Refusals of a program that writes a file in the project. */
const ASKED_FOR_FILE = /^[\w-]+ in '([^']+)' was blocked/;

/** The arguments of these decide everything, so no prefix of them is allowed. */
const EXACT_ONLY = new Set(
  "rm sudo su sh bash zsh fish node deno bun python python3 ruby perl php curl wget eval exec env xargs ssh chmod chown kill dd".split(
    " ",
  ),
);
const KEYWORDS = new Set(
  "for while until if then else elif fi do done case esac function select !".split(" "),
);
/** Programs whose next word says what they do. */
const FORWARDING = new Set(["run", "exec", "compose", "-m"]);

const ASSIGNMENT = /^[A-Za-z_]\w*=[\w./:@-]*$/;
const PLAIN_WORD = /^[A-Za-z@][\w:@./-]*$/;
const PROGRAM = /^[\w./~@+-]+$/;

const LONGEST_LINE = 2_000;

/** Pieces of a line that only runs commands one after another: words and quotes, or the separators between commands. */
const PIECE =
  /('[^']*'|"(?:[^"`\\$]|\$(?!\())*"|[^\s;|&<>(){}`\\'"$]+|\$(?!\()|[^\S\n]+)|\d?>&\d|[\d&]?>[^\S\n]*\/dev\/null|(&&|\|\||[;|\n])/gy;

/** Rules that allow a refused command line, one for each command in it that isn't allowed yet. */
export function shellRules(line: string, answer: string, cwd: string | null): readonly string[] {
  const file = ASKED_FOR_FILE.exec(answer)?.[1];
  const isAsked = file === undefined ? ASKED_FOR_COMMAND.test(answer) : withinProject(file, cwd) !== file;
  const commands = isAsked ? commandsIn(line) : null;
  if (commands === null) return ["Bash"];
  const named = answer.split("approval:")[1];
  const asked = named === undefined ? commands : commands.filter((each) => named.includes(each));
  const rules = (asked.length === 0 ? commands : asked)
    .filter((each) => !/^cd(?: |$)/.test(each))
    .map(ruleFor);
  return rules.length === 0 || rules.includes("Bash") ? ["Bash"] : [...new Set(rules)];
}

/** `npm test -- --run` becomes a rule for `npm test` with any arguments. */
function ruleFor(command: string): string {
  const words = command.split(/\s+/);
  const start = words.findIndex((word) => !ASSIGNMENT.test(word));
  const [program = "", second = "", third = ""] = start < 0 ? [] : words.slice(start);
  if (!PROGRAM.test(program) || KEYWORDS.has(program) || command.includes("\n")) return "Bash";
  if (EXACT_ONLY.has(program)) return `Bash(${command})`;
  const forwards = FORWARDING.has(second) && PLAIN_WORD.test(third);
  const length = forwards ? 3 : PLAIN_WORD.test(second) ? 2 : 1;
  return `Bash(${words.slice(0, start + length).join(" ")}:*)`;
}

/** The single commands of a line; null if a shell would do more than run them. */
function commandsIn(line: string): readonly string[] | null {
  if (line.length > LONGEST_LINE) return null;
  const commands = [""];
  let understood = 0;
  for (const [piece, words = "", separator] of line.matchAll(PIECE)) {
    understood += piece.length;
    if (separator === undefined) commands.push(`${commands.pop() ?? ""}${words}`);
    else commands.push("");
  }
  return understood < line.length ? null : commands.map((each) => each.trim()).filter((each) => each !== "");
}

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
export function outcomeOf(result: JsonObject, use: ToolUse | null): AgentEvent | null {
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
