import { dirname, join } from "node:path";
import type { Program, Started } from "../../install/installer.ts";
import type { EventWord, HostDescription } from "../description.ts";

/** Seconds: a stop waits for checks, every other event only takes a note, and few clients wait long for the last one. */
export function secondsFor(word: EventWord): number {
  if (word === "session-end") return 3;
  return word === "stop" ? 600 : 10;
}

/**
 * The line that a client gives to a shell. A stop goes straight to node. So does the start of a session, which is noted down; a
 * prompt is first looked at by a shell script, which needs a tenth of the time, and only passed on if it may concern a loop.
 */
export function commandLine(
  { node, hook }: Program,
  word: EventWord,
  id: string,
  platform: NodeJS.Platform = process.platform,
): string {
  const quoted = platform === "win32" ? doubleQuoted : singleQuoted;
  const words = `${word} --host ${id}`;
  if (word !== "user-prompt-submit" || platform === "win32")
    return `${quoted(node)} ${quoted(hook)} ${words}`;
  return `/bin/sh ${quoted(join(dirname(hook), "hook.sh"))} ${quoted(node)} ${words}`;
}

const QUOTED = /'((?:[^']|'\\'')*)'|"([^"]*)"/g;

/** What such a line starts; null: it isn't ours. */
export function programOf(line: unknown, { id }: Pick<HostDescription, "id">): Started | null {
  if (typeof line !== "string" || !line.endsWith(` --host ${id}`)) return null;
  const words = [...line.matchAll(QUOTED)].map(
    ([, single, double]) => single?.replaceAll(String.raw`'\''`, "'") ?? double ?? "",
  );
  const hook = words.find((word) => /[\\/]hook\.(?:js|sh)$/.test(word));
  if (hook === undefined) return null;
  return { hook: hook.replace(/hook\.sh$/, "hook.js"), node: words.find((word) => word !== hook) ?? null };
}

function singleQuoted(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}

/** No file on Windows has a quote in its name. */
function doubleQuoted(text: string): string {
  return `"${text}"`;
}
