import { LOOP_WORDS } from "../permissions.ts";
import { detailOf, LONGEST_PATH } from "../bounded-text.ts";
import type { Denial, GrantedPermissions } from "../driver.ts";
import { kindOf } from "./call-kind.ts";
import { asObject, listAt, objectsAt, textAt, type JsonObject } from "../json-line.ts";

/** What an agent wants to do, read from the tool call it asks about. */
interface Wish {
  /** One of the protocol's kinds, such as `edit` or `execute`. */
  readonly kind: string;
  /** The files it names. */
  readonly paths: readonly string[];
  /** The command line; null if it doesn't say. */
  readonly command: string | null;
}

/** Permission modes of ours: yes to everything it asks for, or no to everything that no rule allows. */
export const ALLOW_ALL = "allow";
export const DENY_ALL = "deny";

const READING = new Set(["read", "search", "think"]);
const WRITING = new Set(["edit", "delete", "move"]);

/** Whether a tool call is allowed; `isInside` says whether a path lies in the project. */
export function isAllowed(
  call: JsonObject,
  { permissionMode, allow, checks }: Omit<GrantedPermissions, "args">,
  isInside: (path: string) => boolean,
): boolean {
  if (permissionMode === ALLOW_ALL) return true;
  const wish = wishOf(call);
  if (allow.some((rule) => ruleAllows(rule, wish))) return true;
  if (permissionMode === DENY_ALL) return false;
  if (READING.has(wish.kind)) return wish.paths.every(isInside);
  if (WRITING.has(wish.kind)) return wish.paths.length > 0 && wish.paths.every(isInside);
  return wish.kind === "execute" && wish.command !== null && isOwnCommand(wish.command, checks);
}

/** A check word for word, or one of the `loop` commands that an agent needs. */
function isOwnCommand(line: string, checks: readonly string[]): boolean {
  return checks.includes(line) || LOOP_WORDS.some((word) => isPlainCall(line, `loop ${word}`));
}

/** Characters that a shell reads as more than words. */
const SHELL = /[;&|<>`$(){}\n\r\\*?[\]~#!]/;

/** The command, alone or with plain words behind it. */
function isPlainCall(line: string, command: string): boolean {
  return line === command || (line.startsWith(`${command} `) && !SHELL.test(line));
}

const RULE = /^(\w+)(?:\((.+)\))?$/s;

/** `fetch`, or `execute(npm test)` for one command, with or without more words. */
function ruleAllows(rule: string, { kind, command }: Wish): boolean {
  const [, named, pattern] = RULE.exec(rule) ?? [];
  if (named !== kind) return false;
  return pattern === undefined || (command !== null && isPlainCall(command, pattern));
}

/** What was denied, and the rule that would have allowed it. */
export function denialOf(call: JsonObject): Denial {
  const { kind, command } = wishOf(call);
  const tool = detailOf(command ?? textAt(call, "title") ?? kind);
  const isPlain = command !== null && !SHELL.test(command) && !/[)]/.test(command);
  return { tool, rule: detailOf(isPlain ? `${kind}(${command})` : kind) };
}

function wishOf(call: JsonObject): Wish {
  return { kind: kindOf(call) ?? "other", paths: pathsIn(call), command: commandIn(call) };
}

const PATH_FIELDS = ["path", "file_path", "filePath", "fileName", "filepath", "abs_path", "target_file"];

/** Named in the protocol's own fields, or by the agent's tool. */
function pathsIn(call: JsonObject): readonly string[] {
  const input = asObject(call["rawInput"]);
  const named = [
    ...objectsAt(call, "locations").map((each) => textAt(each, "path")),
    ...objectsAt(call, "content").map((each) => (each["type"] === "diff" ? textAt(each, "path") : null)),
    ...PATH_FIELDS.map((field) => textAt(input, field)),
  ];
  return [...new Set(named.filter((path) => path !== null))];
}

/** The path a finished call wrote; null if it didn't write, or doesn't say where. */
export function writtenBy(call: JsonObject): string | null {
  const path = WRITING.has(kindOf(call) ?? "") ? pathsIn(call)[0] : undefined;
  return path === undefined || path.length > LONGEST_PATH ? null : path;
}

/** Some agents give words (`["bash", "-lc", LINE]`), most a line; Gemini CLI has it only in the title. */
export function commandIn(call: JsonObject): string | null {
  if (kindOf(call) !== "execute") return null;
  const input = asObject(call["rawInput"]);
  const line = textAt(input, "command") ?? textAt(input, "cmd");
  if (line !== null) return line;
  const words = listAt(input, "command").filter((word) => typeof word === "string");
  if (words.length > 0) return /^-\w*c$/.test(words[1] ?? "") ? (words[2] ?? null) : words.join(" ");
  return input === null ? textAt(call, "title") : null;
}
