import type { Shortfall } from "../../core/loop/proof.ts";
import { filesAt } from "../definitions/files-at.ts";
import type { Meaning } from "../definitions/find-definitions.ts";
import { isBelow, nameOf } from "../definitions/project-path.ts";
import { newSuppression } from "../definitions/suppressions.ts";
import { isCode } from "../definitions/test-files.ts";
import type { Listing, Place } from "./kept-files.ts";
import { readKept } from "./kept-files.ts";
import type { Opening } from "./opening-record.ts";

const MOST_NAMED = 5;

interface DoubtOptions {
  readonly place: Place;
  readonly opening: Opening;
  /** The current one. */
  readonly meaning: Pick<Meaning, "judgesSource" | "lookedAt">;
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

async function silencedBy({ place, opening, before, now }: DoubtOptions): Promise<readonly string[]> {
  const changed = [...now.keys()].filter((path) => before.get(path) !== now.get(path) && isCode(path));
  if (changed.length === 0) return [];
  const old = await readKept(place, opening.kept, new Set(changed));
  const files = filesAt(place.root, changed, now);
  const found: string[] = [];
  for (const path of changed) {
    const earlier = old.get(path)?.content.toString("utf8") ?? "";
    const suppression = newSuppression(earlier, (await files.read(path)) ?? "");
    if (suppression !== null) found.push(`"${suppression}" in ${path}`);
  }
  return found;
}
