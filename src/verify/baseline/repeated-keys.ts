import { filesAt } from "../definitions/project-files.ts";
import { oneLine } from "../../system/text/plain-text.ts";
import { readKept } from "./kept-files.ts";
import type { MentionOptions } from "./runner-mentions.ts";

const LONGEST_TEXT = 2_000_000;
const MOST_FILES = 50;

/** Keys that a changed JSON file has twice in one object, and had once before: what is read isn't what a person sees. */
export async function repeatedKeys({
  place,
  baseline,
  before,
  now,
}: Pick<MentionOptions, "place" | "baseline" | "before" | "now">): Promise<readonly string[]> {
  const changed = [...now.keys()]
    .filter((path) => path.endsWith(".json") && before.get(path) !== now.get(path))
    .slice(0, MOST_FILES);
  if (changed.length === 0) return [];
  const files = filesAt(place.root, changed, now);
  const old = await readKept(place, baseline.kept, new Set(changed.filter((path) => before.has(path))));
  const found: string[] = [];
  for (const path of changed) {
    const known = new Set(repeatedKeysIn(old.get(path)?.content.toString("utf8") ?? ""));
    for (const key of repeatedKeysIn((await files.read(path)) ?? ""))
      if (!known.has(key)) found.push(`"${oneLine(key, 80)}" in ${oneLine(path, 200)}`);
  }
  return found;
}

const PIECE = /"((?:[^"\\]|\\.)*)"(\s*:)?|[{}[\]]/g;

/** Keys that an object has more than once. */
export function repeatedKeysIn(text: string): readonly string[] {
  if (text.length > LONGEST_TEXT) return [];
  const open: Set<string>[] = [];
  const repeated = new Set<string>();
  for (const [found, key, isKey] of text.matchAll(PIECE)) {
    if (found === "{" || found === "[") open.push(new Set());
    else if (found === "}" || found === "]") open.pop();
    else if (isKey !== undefined && key !== undefined) {
      if (open.at(-1)?.has(key) === true) repeated.add(key);
      open.at(-1)?.add(key);
    }
  }
  return [...repeated];
}
