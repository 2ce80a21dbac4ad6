type FieldName = "blocked by" | "verify" | "files" | "estimate";

export interface Field {
  readonly name: FieldName;
  readonly value: string;
  /** `verify (proposed):`, as a model's command is written to a file. */
  readonly isProposed: boolean;
}

const FIELD =
  /^[ \t]*(?:[-*+][ \t]+)?(?:\*\*|__)?(blocked[ -]?by|depends[ -]on|verify(?:[ \t]\(proposed\))?|files|estimate)(?:\*\*|__)?[ \t]?:(?:\*\*|__)?(.*)$/i;

const ID = String.raw`[A-Za-z][A-Za-z0-9]*-\d+`;
const IDS = String.raw`${ID}(?:(?:,?[ \t]?and[ \t]|[ \t]?[,&][ \t]?)${ID})*`;
const BLOCKED = String.raw`(?:blocked by|depends on):?[ \t]+(${IDS})`;
const BLOCKED_LINE = new RegExp(String.raw`^[ \t]*(?:[-*+][ \t]+)?${BLOCKED}\.?[ \t]*$`, "i");

/** A line that is nothing but a field: `blocked by: T-002`, `- **Verify:** npm test`. */
export function readField(line: string): Field | null {
  const [, name, value = ""] = FIELD.exec(line) ?? [];
  if (name !== undefined) return { name: nameOf(name), value: value.trim(), isProposed: name.endsWith(")") };
  const [, ids] = BLOCKED_LINE.exec(line) ?? [];
  return ids === undefined ? null : { name: "blocked by", value: ids, isProposed: false };
}

const FIELD_NAMES: readonly string[] = ["verify", "blocked by", "depends on", "files", "estimate"];
const LABEL = /^[ \t]*(?:[-*+][ \t]+)?(?:\*\*|__)?([A-Za-z][A-Za-z -]{3,11})(?:\*\*|__)?[ \t]?:/;

/** `verfy: npm test`: a line that looks like a field and is none, and the field that it is nearly called. */
export function misspeltField(line: string): { readonly written: string; readonly meant: string } | null {
  const [, label] = LABEL.exec(line) ?? [];
  const written = label?.trim().toLowerCase();
  if (written === undefined) return null;
  const meant = FIELD_NAMES.find((name) => isNearly(written, name));
  return meant === undefined ? null : { written, meant };
}

/** One letter is missing, one too many or another one, or two neighbours have changed places. */
function isNearly(written: string, name: string): boolean {
  if (written === name || Math.abs(written.length - name.length) > 1) return false;
  let start = 0;
  while (start < name.length && written[start] === name[start]) start += 1;
  const [rest, wanted] = [written.slice(start), name.slice(start)];
  const isSwapped = rest[0] === wanted[1] && rest[1] === wanted[0] && rest.slice(2) === wanted.slice(2);
  return (
    isSwapped || rest.slice(1) === wanted.slice(1) || rest === wanted.slice(1) || rest.slice(1) === wanted
  );
}

function nameOf(written: string): FieldName {
  const name = written.toLowerCase();
  if (name.startsWith("verify")) return "verify";
  return name === "files" || name === "estimate" ? name : "blocked by";
}

/** A text without the fields inside it, and what they say. */
interface WithoutFields {
  readonly text: string;
  readonly blockers: readonly string[];
  readonly verify: string | null;
}

const VERIFY = /(?:^|([.;,—–-])[ \t]|(\())[ \t]?verify:[ \t]?(.*)$/i;
const BREAK = "[.;,—–-][ \\t]";
const APART = new RegExp(String.raw`(?:^|\(|${BREAK})${BLOCKED}\)?`, "gi");
const ANYWHERE = new RegExp(String.raw`(?:\(|${BREAK}|\b)${BLOCKED}\)?`, "gi");

/**
 * `Implement validateUser (blocked by T-003)`, `Add it. Verify: grep -q it src`. In a subject whatever says "blocked by" counts;
 * a sentence of a description may be about another task.
 */
export function takeFields(text: string, part: "subject" | "description"): WithoutFields {
  const found = VERIFY.exec(text);
  const before = found === null ? text : text.slice(0, found.index);
  const { rest: command, after } = commandIn(found);
  const pattern = part === "subject" ? ANYWHERE : APART;
  const blockers: string[] = [];
  const take = (_: string, ids: string): string => {
    blockers.push(...readBlockers(ids));
    return "";
  };
  const end = found?.[1] === "." ? "." : "";
  const kept = `${before.replace(pattern, take).trimEnd()}${end}${after.replace(pattern, take)}`;
  return { text: tidied(kept), blockers, verify: command };
}

/** A command in backticks ends with them; what follows is text again. */
function commandIn(found: RegExpExecArray | null): { readonly rest: string | null; readonly after: string } {
  if (found === null) return { rest: null, after: "" };
  const [, , bracket, value = ""] = found;
  const inner = bracket !== undefined && value.endsWith(")") ? value.slice(0, -1) : value;
  const code = /^(`[^`]+`)[ \t]?(\((?:blocked by|depends on).*)$/i.exec(inner);
  return code === null ? { rest: inner, after: "" } : { rest: code[1] ?? "", after: ` ${code[2] ?? ""}` };
}

function tidied(text: string): string {
  const plain = text.trim();
  return plain.replace(/[ \t]?[;,—–-]$/, "").trimEnd();
}

/** What was read of a field, or why it could not be. */
export type Value<Read> =
  | { readonly read: Read; readonly why: null }
  | { readonly read: null; readonly why: string };

function read<Read>(value: Read): Value<Read> {
  return { read: value, why: null };
}

const NOBODY = /^(?:none|nothing|nobody|no one|n\/a|[-–—])?$/i;

/** `T-002, T-003 and T-004`, `none`. What is no id stays in, for the lint to name. */
export function readBlockers(text: string): readonly string[] {
  const plain = text.replace(/\([^()]*\)/g, " ").trim();
  if (NOBODY.test(plain.replace(/\.$/, ""))) return [];
  return plain
    .split(/[\s,;&]+/)
    .map((word) => word.replace(/^[`*_[]+|[`*_\].]+$/g, "").replace(/\]\(.*$/, ""))
    .filter((word) => word !== "" && word.toLowerCase() !== "and");
}

/** A command as it stands, or between backticks, with nothing but a full stop behind them. */
export function readCommand(text: string): Value<string> {
  const value = text.trim();
  if (value === "") return { read: null, why: "verify: is empty; write a command behind it" };
  if (!value.startsWith("`")) return read(value);
  const [fence = ""] = /^`+/.exec(value) ?? [];
  const end = value.indexOf(fence, fence.length);
  const command = end === -1 ? "" : value.slice(fence.length, end).trim();
  const rest = value.slice(end + fence.length).trim();
  if (command !== "" && (rest === "" || rest === ".")) return read(command);
  if (rest.includes("`"))
    return { read: null, why: "verify: names several commands; write one, with && between them" };
  return {
    read: null,
    why: `verify: is not only a command; write it alone, as in: verify: ${command || "npm test"}`,
  };
}

const UNITS_MS: { readonly [unit: string]: number } = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 };
const DURATION = /^~?[ ]?(\d{1,6}(?:\.\d{1,3})?)[ ]?(s|m|h|d)(?:ec|econds?|in|inutes?|ours?|rs?|ays?)?\.?$/i;

/** `10m`, `90 s`, `1.5h`, `~20 min`. */
export function readEstimate(text: string): Value<number> {
  const [, amount = "", unit = ""] = DURATION.exec(text.trim()) ?? [];
  const ms = Number(amount) * (UNITS_MS[unit.toLowerCase()] ?? 0);
  if (amount !== "" && ms > 0) return read(ms);
  return { read: null, why: "estimate: takes a duration such as 10m or 2h" };
}

/** Globs, with commas or blanks between them; one that has some itself is in quotes. */
export function readGlobs(text: string): readonly string[] {
  return (text.match(/"[^"]+"|[^\s,]+/g) ?? [])
    .map((word) => word.replace(/^"(.+)"$/, "$1").replaceAll("`", ""))
    .filter((word) => word !== "" && !NOBODY.test(word));
}

/** They are compared with paths inside the project, and nothing else is one. */
export function isInsideProject(glob: string): boolean {
  return !glob.startsWith("/") && !/^[A-Za-z]:/.test(glob) && !glob.split(/[\\/]/).includes("..");
}
