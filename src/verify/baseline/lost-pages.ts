import type { FoundDefinitions } from "../definitions/find-definitions.ts";
import { filesAt, isBelow } from "../definitions/project-files.ts";
import { isCode } from "../definitions/test-files.ts";
import { oneLine } from "../../system/text/plain-text.ts";
import { namesFile } from "../violations/suppressions.ts";
import { readKept } from "./kept-files.ts";
import type { MentionOptions } from "./runner-mentions.ts";

type LostOptions = Omit<MentionOptions, "meaning"> & { readonly meaning: Pick<FoundDefinitions, "lookedAt"> };

/** How a spec asks for less. */
const ASKED =
  /\b(?:remov|delet|drop|prun|clean|trim|shorten|condens|merg|split|replac|rewrit|rework|simplif|consolidat|mov|renam|obsolete|unused|empty|clear)/i;
const MOST_FILES = 200;
/** What is left of a page that counts as the same one. */
const LEAST_LEFT = 0.5;

/** A page of fewer different words is soon another one. */
const FEWEST_WORDS = 8;

/**
 * Pages and data of a folder that a check goes through, and that are gone, or mostly gone, and nowhere else: nothing can be wrong
 * with them any more. Code is judged by other checks.
 */
export async function lostPages({
  place,
  baseline,
  meaning,
  before,
  now,
  spec,
}: LostOptions): Promise<readonly string[]> {
  if (meaning.lookedAt.length === 0 || ASKED.test(spec)) return [];
  // A file that the check or the spec names is what the work is about.
  const isSeen = (path: string): boolean =>
    meaning.lookedAt.some((each) => each !== path && isBelow(path, each)) &&
    !(now.has(path) && namesFile(spec, path));
  const differ = [...before.keys()]
    .filter((path) => before.get(path) !== now.get(path) && isSeen(path) && !isCode(path))
    .slice(0, MOST_FILES);
  if (differ.length === 0) return [];
  const old = await readKept(place, baseline.kept, new Set(differ));
  const changed = [...now.keys()].filter((path) => before.get(path) !== now.get(path)).slice(0, MOST_FILES);
  const files = filesAt(place.root, changed, now);
  const there = new Set<string>();
  for (const path of changed) for (const word of wordsOf((await files.read(path)) ?? "")) there.add(word);
  return differ
    .filter((path) => {
      const words = [...new Set(wordsOf(old.get(path)?.content.toString("utf8") ?? ""))];
      const left = words.filter((word) => there.has(word)).length;
      const least = now.has(path) ? FEWEST_WORDS : 1;
      return words.length >= least && left < words.length * LEAST_LEFT;
    })
    .map((path) => (now.has(path) ? `most of ${oneLine(path, 200)}` : oneLine(path, 200)));
}

function wordsOf(text: string): readonly string[] {
  return text.toLowerCase().match(/[\p{L}\p{N}]{2,}/gu) ?? [];
}
