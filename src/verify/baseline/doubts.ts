import type { Shortfall } from "../../core/loop/proof.ts";
import { filesAt, isBelow, nameOf } from "../definitions/project-files.ts";
import type { FoundDefinitions } from "../definitions/find-definitions.ts";
import { isCode } from "../definitions/test-files.ts";
import { readKept } from "./kept-files.ts";
import type { Listing, Place } from "./kept-files.ts";
import type { Baseline } from "./baseline-record.ts";

const MOST_NAMED = 5;

interface DoubtOptions {
  readonly place: Place;
  readonly baseline: Baseline;
  /** The current one. */
  readonly meaning: Pick<FoundDefinitions, "judgesSource" | "lookedAt">;
  readonly before: Listing;
  readonly now: Listing;
}

/** What changed about the files that lets a check pass without the work being right, and is no definition of it. */
export async function doubtsOf(options: DoubtOptions): Promise<readonly Shortfall[]> {
  const gone = goneOf(options);
  const moved = movedOf(options);
  const silenced = options.meaning.judgesSource ? await silencedBy(options) : [];
  return [
    ...(gone.length === 0
      ? []
      : [`It searches ${gone.join(", ")}, which existed at the opening and is gone.`]),
    ...(moved.length === 0
      ? []
      : [`Code was moved to where it doesn't look: ${moved.slice(0, MOST_NAMED).join(", ")}.`]),
    ...(silenced.length === 0
      ? []
      : [`New comments silence it: ${silenced.slice(0, MOST_NAMED).join(", ")}.`]),
  ].map((text) => ({ text, isClear: false, isOfNumbers: false }));
}

/** `! grep` finds nothing where nothing is. */
function goneOf({ meaning, before, now }: DoubtOptions): readonly string[] {
  return meaning.lookedAt.filter((path) => isIn(before, path) && !isIn(now, path));
}

/** Files that a search or a linter saw, and that are now, as they were or under the same name, where it doesn't look. */
function movedOf({ meaning, before, now }: DoubtOptions): readonly string[] {
  const isSeen = (path: string): boolean => meaning.lookedAt.some((each) => isBelow(path, each));
  const added = [...now].filter(([path]) => !before.has(path) && !isSeen(path));
  if (added.length === 0) return [];
  return [...before].flatMap(([path, version]) => {
    if (!isSeen(path) || now.get(path) === version) return [];
    const to = added.find(
      ([other, content]) => content === version || (!now.has(path) && nameOf(other) === nameOf(path)),
    );
    return to === undefined ? [] : [`${path} to ${to[0]}`];
  });
}

function isIn(listing: Listing, path: string): boolean {
  return listing.has(path) || [...listing.keys()].some((each) => each.startsWith(`${path}/`));
}

async function silencedBy({ place, baseline, before, now }: DoubtOptions): Promise<readonly string[]> {
  const changed = [...now.keys()].filter((path) => before.get(path) !== now.get(path) && isCode(path));
  if (changed.length === 0) return [];
  const old = await readKept(place, baseline.kept, new Set(changed));
  const files = filesAt(place.root, changed, now);
  const found: string[] = [];
  for (const path of changed) {
    const earlier = old.get(path)?.content.toString("utf8") ?? "";
    const suppression = newSuppression(earlier, (await files.read(path)) ?? "");
    if (suppression !== null) found.push(`"${suppression}" in ${path}`);
  }
  return found;
}

/** What tells a linter, a type checker or a coverage tool to be silent, as each of them spells it. */
const SUPPRESSION =
  /@ts-(?:ignore|expect-error|nocheck)|\bas any\b|@type \{any\}|(?:eslint|oxlint|stylelint|biome|tslint|rubocop|pylint|shellcheck|prettier)[-:] ?(?:disable|ignore|off)\S*|\/\*\s*eslint\s+[\w@/-]+\s*:|#\s*type:\s*ignore|#\s*(?:ruff:\s*|flake8:\s*)?noqa|#\s*(?:mypy|pyright):\s*(?:ignore|basic|strict\s*=\s*false)\S*|\/\/\s*nolint|#!?\[allow\([^)\n]{0,100}\)\]|\b(?:istanbul|c8|v8) ignore\b|pragma: no cover/g;

function suppressionsIn(text: string): readonly string[] {
  return [...text.matchAll(SUPPRESSION)].map(([found]) => found.trim());
}

/** The first one that the text has more often than the earlier text; null if there is none. */
export function newSuppression(earlier: string, text: string): string | null {
  const left = [...suppressionsIn(earlier)];
  return (
    suppressionsIn(text).find((each) => {
      const at = left.indexOf(each);
      if (at !== -1) left.splice(at, 1);
      return at === -1;
    }) ?? null
  );
}
