import type { SourceJudge } from "../definitions/source-judge.ts";
import { below, folderOf, nameOf } from "../definitions/project-files.ts";
import { mayCount } from "../definitions/test-files.ts";
import { listKept, readKept, type Listing, type Place } from "../baseline/kept-files.ts";
import { spellerOf } from "./mistakes.ts";
import { without, type ComparedCheck, type Comparison } from "../baseline/compare.ts";
import { readFileNow } from "../baseline/injected-files.ts";

/** A file that gets a mistake. */
export interface Candidate {
  readonly path: string;
  /** Where its code was at the opening; null: it is new. */
  readonly from: string | null;
  readonly isChanged: boolean;
}

/** The files of a judge's language: those that changed first, then those that it may no longer see. */
export function candidatesOf(
  { language }: Pick<SourceJudge, "language">,
  then: Listing,
  now: Listing,
  origins: ReadonlyMap<string, string>,
): readonly Candidate[] {
  const isOfLanguage = (path: string): boolean => {
    const own = spellerOf(path)?.language;
    return own !== undefined && (language === null || own === language);
  };
  // A file that is ignored since the opening is no longer listed, but may still be there.
  return [...new Set([...now.keys(), ...then.keys()])]
    .filter(mayCount)
    .map((path): Candidate => {
      const from = then.has(path) ? path : (origins.get(path) ?? null);
      return { path, from, isChanged: then.get(path) !== now.get(path) };
    })
    .filter(({ path, from }) => isOfLanguage(path) || (from !== null && from !== path && isOfLanguage(from)))
    .toSorted((one, other) => rankOf(one) - rankOf(other));
}

/** What has moved is the most suspicious. */
function rankOf({ path, from, isChanged }: Candidate): number {
  if (!isChanged) return 3;
  if (from === null) return 2;
  return from === path ? 1 : 0;
}

const MOST_COMPARED = 200;

/** New files, and those whose code may have gone there. */
function differing(
  then: Listing,
  now: Listing,
): { readonly added: readonly string[]; readonly left: readonly string[] } {
  const added = [...now.keys()].filter((path) => !then.has(path) && mayCount(path));
  const left = [...then.keys()].filter(
    (path) => then.get(path) !== now.get(path) && spellerOf(path) !== null,
  );
  return { added: added.slice(0, MOST_COMPARED), left: left.slice(0, MOST_COMPARED) };
}

/** A file's text at one of the two moments; null: there is none. */
export type TextOf = (path: string) => string | null;

/**
 * Where the code of each new file was at the opening: in a file that has the same content or most of its lines, or in one beside
 * it, with the same name and another ending, that is gone.
 */
export function originsOf(
  then: Listing,
  now: Listing,
  { before, after }: { readonly before: TextOf; readonly after: TextOf },
): ReadonlyMap<string, string> {
  const { added, left } = differing(then, now);
  const linesBefore = new Map(left.map((path) => [path, linesOf(before(path))]));
  const origins = new Map<string, string>();
  for (const path of added) {
    const lines = linesOf(after(path));
    const best = left
      .map((from) => ({ from, share: shareOf(lines, linesBefore.get(from) ?? new Set()) }))
      .toSorted((one, other) => other.share - one.share)[0];
    const isSame = (from: string): boolean => lines.size > 0 && then.get(from) === now.get(path);
    const isRenamed = (from: string): boolean => !now.has(from) && stemOf(from) === stemOf(path);
    const from =
      left.find(isSame) ?? (best !== undefined && best.share > MOST_LINES ? best.from : left.find(isRenamed));
    if (from !== undefined) origins.set(path, from);
  }
  return origins;
}

const MOST_LINES = 0.5;
const FEWEST_LINES = 3;
const SHORTEST_LINE = 8;

/** Without lines that any two files share: brackets, blanks. */
function linesOf(text: string | null): ReadonlySet<string> {
  const lines = (text ?? "").split("\n").map((line) => line.trim());
  return new Set(lines.filter((line) => line.length >= SHORTEST_LINE));
}

function shareOf(lines: ReadonlySet<string>, others: ReadonlySet<string>): number {
  if (lines.size < FEWEST_LINES) return 0;
  return [...lines].filter((line) => others.has(line)).length / lines.size;
}

/** With its folder: elsewhere, a file of that name may be about anything. */
function stemOf(path: string): string {
  return below(folderOf(path), nameOf(path).replace(/(?<=.)\..*$/, ""));
}

/** The files that a judge of the source may see, without those that say how it judges. */
export async function findCandidates(
  { place, comparison }: { readonly place: Place; readonly comparison: Pick<Comparison, "now"> },
  { baseline, definitions }: ComparedCheck,
  judge: SourceJudge,
): Promise<readonly Candidate[]> {
  const { listing: then, leftOut } = await listKept(place, baseline.kept);
  const now = without(comparison.now, leftOut);
  const { added, left } = differing(then, now);
  const old =
    added.length === 0 ? new Map<string, never>() : await readKept(place, baseline.kept, new Set(left));
  const texts = new Map<string, string>();
  for (const path of left.length === 0 ? [] : added) {
    const file = await readFileNow(place.root, path);
    if (file !== null) texts.set(path, file.text);
  }
  const origins = originsOf(then, now, {
    before: (path) => old.get(path)?.content.toString("utf8") ?? null,
    after: (path) => texts.get(path) ?? null,
  });
  const saying = new Set(
    definitions.flatMap(({ kind, path, part }) =>
      part === null && (kind === "script" || kind === "config") ? [path] : [],
    ),
  );
  return candidatesOf(judge, then, now, origins).filter(({ path }) => !saying.has(path));
}
