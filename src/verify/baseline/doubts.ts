import { listed } from "../../core/listed.ts";
import type { Shortfall } from "../../core/loop/proof.ts";
import { filesAt, folderOf, foldersUpwards, isBelow, nameOf } from "../definitions/project-files.ts";
import type { FoundDefinitions } from "../definitions/find-definitions.ts";
import { isCode } from "../definitions/test-files.ts";
import { oneLine } from "../../system/text/plain-text.ts";
import { lostTypes } from "../violations/lost-types.ts";
import { isAskedFor, namesFile, newSuppressions, suppressionsIn } from "../violations/suppressions.ts";
import type { Suppression } from "../violations/suppressions.ts";
import { readKept, type Listing, type Place } from "./kept-files.ts";
import { newlyChangedBuiltins } from "./changed-builtins.ts";
import { newlyAnswered } from "../answers/newly-answered.ts";
import type { Answered } from "../answers/newly-answered.ts";
import { newlyConditional } from "../answers/always-right.ts";
import { lostPages } from "./lost-pages.ts";
import { repeatedKeys } from "./repeated-keys.ts";
import { newRunnerMentions } from "./runner-mentions.ts";
import { newlyReaching } from "./reached-tests.ts";
import type { Baseline } from "./baseline-record.ts";

const MOST_NAMED = 5;
const LONGEST_WORD = 80;
const LONGEST_PATH = 200;

interface DoubtOptions {
  readonly place: Place;
  readonly baseline: Baseline;
  /** The current one. */
  readonly meaning: Pick<FoundDefinitions, "sourceJudges" | "lookedAt" | "definitions">;
  readonly before: Listing;
  readonly now: Listing;
  readonly spec: string;
}

/** Changes outside its definitions that let a check pass although the work is wrong. */
export async function doubtsOf(options: DoubtOptions): Promise<readonly Shortfall[]> {
  const gone = goneOf(options);
  const moved = movedOf(options);
  const emptied = await emptiedOf(options);
  const mentioned = [...(await newRunnerMentions(options)), ...(await newlyReaching(options))];
  const patched = await newlyChangedBuiltins(options);
  const silenced = await silencedBy(options);
  const answered = await newlyAnswered(options);
  const conditional = await newlyConditional(options);
  const lost = await lostPages(options);
  const repeated = await repeatedKeys(options);
  return [
    ...(gone.length === 0
      ? []
      : [`It searches ${gone.join(", ")}, which existed at the opening and is gone.`]),
    ...(moved.length === 0
      ? []
      : [`Code was moved to where it doesn't look: ${moved.slice(0, MOST_NAMED).join(", ")}.`]),
    ...(emptied.length === 0
      ? []
      : [`Nothing is left in ${emptied.slice(0, MOST_NAMED).join(", ")}, and so nothing to find.`]),
    ...(silenced.length === 0 ? [] : [toldOfSilence(silenced)]),
    ...(mentioned.length === 0
      ? []
      : [`The source looks at who runs or judges it: ${mentioned.slice(0, MOST_NAMED).join(", ")}.`]),
    ...(patched.length === 0
      ? []
      : [
          `The source changes its language, or what it imports, for all others: ${patched.slice(0, MOST_NAMED).join(", ")}.`,
        ]),
    ...(lost.length === 0
      ? []
      : [`It goes through what is there, and this is gone: ${listed(lost, MOST_NAMED)}.`]),
    ...(repeated.length === 0
      ? []
      : [`A key is there twice, and readers take one or the other: ${listed(repeated, MOST_NAMED)}.`]),
    ...(conditional.length === 0
      ? []
      : [`The source is right for whoever asks, or until some day: ${listed(conditional, MOST_NAMED)}.`]),
    ...toldOfAnswers(answered),
  ].map((text) => ({ text, isClear: false, isOfNumbers: false }));
}

/** `! grep` finds nothing where nothing is. */
function goneOf({ meaning, before, now }: DoubtOptions): readonly string[] {
  return meaning.lookedAt.filter((path) => isIn(before, path) && !isIn(now, path));
}

/**
 * Files that a search or a linter saw, and that are now, as they were or under the same name, where it doesn't look. A place that
 * the spec names is fine.
 */
function movedOf({ meaning, before, now, spec }: DoubtOptions): readonly string[] {
  const isSeen = (path: string): boolean => meaning.lookedAt.some((each) => isBelow(path, each));
  const isNamed = (path: string): boolean =>
    namesFile(spec, path) ||
    foldersUpwards(folderOf(path)).some((each) => each !== "" && namesFolder(spec, each));
  const added = [...now].filter(([path]) => !before.has(path));
  if (added.length === 0) return [];
  return [...before].flatMap(([path, version]) => {
    if (!isSeen(path) || now.get(path) === version) return [];
    const to = added.find(([other, content]) => {
      const isSame = content === version || (!now.has(path) && nameOf(other) === nameOf(path));
      return isSeen(other) ? isRenamedAway(path, other, now) : isSame && !isNamed(other);
    });
    return to === undefined || namesFile(spec, to[0]) ? [] : [`${path} to ${to[0]}`];
  });
}

/** In the same folder, with another ending: who goes by endings no longer sees it. */
function isRenamedAway(path: string, other: string, now: Listing): boolean {
  const stem = path.replace(/\.\w+$/, "");
  return !now.has(path) && stem !== path && other !== path && other.startsWith(`${stem}.`);
}

function namesFolder(spec: string, folder: string): boolean {
  return namesFile(spec, folder) || namesFile(spec, `${folder}/`);
}

/** Whether a file that holds nothing is usual. */
const MAY_BE_EMPTY = /(?:^|\/)(?:__init__\.py|py\.typed|\.[^/]*)$/;

/** Files of a folder that it goes through, and that have nothing in them since. */
async function emptiedOf({ place, meaning, before, now, spec }: DoubtOptions): Promise<readonly string[]> {
  const isSeen = (path: string): boolean => meaning.lookedAt.some((each) => isBelow(path, each));
  const changed = [...now.keys()].filter(
    (path) =>
      before.get(path) !== now.get(path) &&
      isSeen(path) &&
      !MAY_BE_EMPTY.test(path) &&
      !isToBeEmptied(spec, path),
  );
  const files = filesAt(place.root, changed, now);
  const emptied: string[] = [];
  for (const path of changed) if ((await files.read(path))?.trim() === "") emptied.push(path);
  return emptied;
}

/** A sentence of the spec asks to empty just that file. */
function isToBeEmptied(spec: string, path: string): boolean {
  return spec
    .split(/(?<=[.!?;])\s|\n/)
    .some(
      (sentence) =>
        /\b(?:empty|empties|emptied|clear|truncate|blank)\b/i.test(sentence) && namesFile(sentence, path),
    );
}

function isIn(listing: Listing, path: string): boolean {
  return listing.has(path) || [...listing.keys()].some((each) => each.startsWith(`${path}/`));
}

/** Places since the opening that keep it silent, unless the spec asks for them. */
async function silencedBy({
  place,
  baseline,
  meaning,
  before,
  now,
  spec,
}: DoubtOptions): Promise<readonly Suppression[]> {
  const reported = new Set(meaning.sourceJudges.map(({ reports }) => reports));
  const isSeen = (path: string): boolean => meaning.lookedAt.some((each) => isBelow(path, each));
  const differs = (path: string): boolean =>
    before.get(path) !== now.get(path) && (isCode(path) || isSeen(path));
  const changed = [...now.keys()].filter(differs);
  if (reported.size === 0 || changed.length === 0) return [];
  const old = await readKept(place, baseline.kept, new Set([...before.keys()].filter(differs)));
  const files = filesAt(place.root, changed, now);
  const found: Suppression[] = [];
  const lost: Suppression[] = [];
  for (const path of changed) {
    const text = (await files.read(path)) ?? "";
    found.push(...suppressionsIn(path, text, reported));
    const then = reported.has("types") ? old.get(path)?.content.toString("utf8") : undefined;
    if (then !== undefined) lost.push(...lostTypes(path, text, then));
  }
  if (found.length === 0 && lost.length === 0) return [];
  const earlier = [...old].flatMap(([path, { content }]) =>
    suppressionsIn(path, content.toString("utf8"), reported),
  );
  return [...newSuppressions(earlier, found), ...lost].filter((each) => !isAskedFor(spec, each));
}

function toldOfSilence(silenced: readonly Suppression[]): string {
  const named = silenced
    .slice(0, MOST_NAMED)
    .map(
      ({ word, path, line }) => `"${oneLine(word, LONGEST_WORD)}" in ${oneLine(path, LONGEST_PATH)}:${line}`,
    );
  const more = silenced.length - named.length;
  return `It is silenced in new places: ${[...named, ...(more > 0 ? [`${more} more`] : [])].join(", ")}.`;
}

function toldOfAnswers({ inputs, constants }: Answered): readonly string[] {
  const answered = inputs.map(
    ({ path, line, input, test }) =>
      `"${oneLine(input, LONGEST_WORD)}" of ${oneLine(test, LONGEST_PATH)} in ${oneLine(path, LONGEST_PATH)}:${line}`,
  );
  const same = constants.map(
    ({ path, line, name, value }) =>
      `${oneLine(name, LONGEST_WORD)} in ${oneLine(path, LONGEST_PATH)}:${line}, always ${oneLine(value, LONGEST_WORD)}`,
  );
  return [
    ...(answered.length === 0
      ? []
      : [`The source answers inputs of its tests one by one: ${listed(answered, MOST_NAMED)}.`]),
    ...(same.length === 0
      ? []
      : [`The source answers what a test expects, whatever it is given: ${listed(same, MOST_NAMED)}.`]),
  ];
}
