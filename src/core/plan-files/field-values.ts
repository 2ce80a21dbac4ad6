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
