import type { Claim } from "./facts.ts";

/** Cut off or still being written. */
const UNFINISHED_BLOCK = /---LOOP_STATUS---[\s\S]*$/;
const BLOCK = /---LOOP_STATUS---([\s\S]*?)---END_STATUS---/g;
const MARK = /(---LOOP_STATUS---|---END_STATUS---)/;
const SIZE_LIMIT = 200_000;
const NEXT_LIMIT = 300;

/** The part of a message for people; the block is for machines. */
export function withoutStatusBlocks(message: string): string {
  return message.replace(BLOCK, " ").replace(UNFINISHED_BLOCK, " ").trim();
}

/** For a message that comes line by line: reads the next line and returns the part of it for people. */
export function linesWithoutStatusBlocks(): (line: string) => string {
  let isInBlock = false;
  return (line) => {
    let words = "";
    for (const part of line.split(MARK)) {
      if (part === "---LOOP_STATUS---") isInBlock = true;
      else if (!isInBlock) words += part;
      else if (part === "---END_STATUS---") isInBlock = false;
    }
    return words.trim();
  };
}

/** The claims in the last status block of a message, which may be fenced. They are only claims. */
export function claimsOfStatusBlock(message: string): readonly Claim[] {
  const body = [...message.slice(-SIZE_LIMIT).matchAll(BLOCK)].at(-1)?.[1];
  if (body === undefined) return [];
  const claims: Claim[] = [];
  for (const line of body.split(/\r?\n/)) {
    const [, key, value = ""] = /^\s*([A-Z_]+):\s*(.*?)\s*$/.exec(line) ?? [];
    if (key === "EXIT_SIGNAL" && value === "true") claims.push({ type: "exit", source: "status-block" });
    if (key === "EXIT_SIGNAL" && value === "false") claims.push({ type: "no-exit", source: "status-block" });
    if (key === "CRITERIA") claims.push(...claimsOfCriteria(value));
    if (key === "STEPS") claims.push(...claimsOfNames(value, "step-done"));
    if (key === "TASKS") claims.push(...claimsOfNames(value, "task-done"));
    if (key === "NEXT" && !/^(none)?$/i.test(value))
      claims.push({ type: "next", text: value.slice(0, NEXT_LIMIT) });
    if (key === "BLOCKED" && value !== "") claims.push({ type: "blocked", reason: obstacleIn(value) });
  }
  return claims;
}

/** Names of what is finished, as a JSON list. */
function claimsOfNames(json: string, type: "step-done" | "task-done"): readonly Claim[] {
  const names = parsed(json);
  if (!Array.isArray(names)) return [];
  return names.flatMap((name): readonly Claim[] =>
    typeof name === "string" ? [{ type, name, source: "status-block" }] : [],
  );
}

/** In plain words, or as `{"NAME": "REASON"}` if a check is in the way. */
function obstacleIn(text: string): string {
  const value = parsed(text);
  if (typeof value !== "object" || value === null || Array.isArray(value)) return text;
  const named = Object.entries(value).flatMap(([name, reason]) =>
    typeof reason === "string" ? [blockedDetail(name, reason)] : [],
  );
  return named.length === 0 ? text : named.join("; ");
}

/** Only the JSON value `true` is true; a bare true counts as an inference. */
function claimsOfCriteria(json: string): readonly Claim[] {
  const value = parsed(json);
  if (typeof value !== "object" || value === null || Array.isArray(value)) return [];
  return Object.entries(value).flatMap(([name, said]): readonly Claim[] => {
    if (said === true) return [{ type: "met", name, by: "reasoned inference", source: "status-block" }];
    if (said === false) return [{ type: "unmet", name, source: "status-block" }];
    return [];
  });
}

function parsed(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return null;
  }
}

const LONGEST_NAME = 120;

/** Why an agent is blocked, as the pause records it: first the check in its way, if it named one. */
export function blockedDetail(check: string | null, reason: string): string {
  // A person copies the flags that the machine puts there, so an agent's own words are quoted.
  if (check === null) return isMissingPermission(reason) ? `"${reason}"` : reason;
  const name = check.length > LONGEST_NAME ? `${check.slice(0, LONGEST_NAME - 1)}…` : check;
  return `check "${name}": ${reason}`;
}

const BEGINNING = "permission is missing: ";
const FLAG = /--(?:allow|permission-mode) (?:'(?:[^']|'\\'')*'|[^\s',]+)/g;

/** Why a loop pauses when its agent is denied what it needs, with the flag that would allow each denial. */
export function missingPermission(denials: readonly string[]): string {
  return `${BEGINNING}${denials.join(", ")}`;
}

/** The flags in such a detail; empty for any other detail. */
export function flagsIn(detail: string | null): readonly string[] {
  return detail?.startsWith(BEGINNING) === true ? (detail.match(FLAG) ?? []) : [];
}

/** Keeps an agent's own words from passing for the machine's. */
function isMissingPermission(text: string): boolean {
  return text.trimStart().startsWith(BEGINNING.trimEnd());
}
