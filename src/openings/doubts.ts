import type { Check } from "../core/criterion.ts";
import type { Shortfall } from "../core/proof.ts";
import { filesAt } from "../meaning/files-at.ts";
import { searchedPaths } from "../meaning/searched-paths.ts";
import { newSuppression } from "../meaning/suppressions.ts";
import { isCode } from "../meaning/test-files.ts";
import type { Listing, Place } from "./kept-files.ts";
import { readKept } from "./kept-files.ts";
import type { Opening } from "./opening-record.ts";

const MOST_NAMED = 5;

interface DoubtOptions {
  readonly place: Place;
  readonly check: Check;
  /** Where it runs. */
  readonly folder: string;
  readonly opening: Opening;
  /** It is a linter, a type checker or a build. */
  readonly judgesSource: boolean;
  readonly before: Listing;
  readonly now: Listing;
}

/** What changed about the files that lets a check pass without the work being right, and is no definition of it. */
export async function doubtsOf(options: DoubtOptions): Promise<readonly Shortfall[]> {
  const gone = goneOf(options);
  const silenced = options.judgesSource ? await silencedBy(options) : [];
  return [
    ...(gone.length === 0
      ? []
      : [`It searches ${gone.join(", ")}, which existed at the opening and is gone.`]),
    ...(silenced.length === 0
      ? []
      : [`New comments silence it: ${silenced.slice(0, MOST_NAMED).join(", ")}.`]),
  ].map((text) => ({ text, isClear: false, isOfNumbers: false }));
}

/** `! grep` finds nothing where nothing is. */
function goneOf({ place, check, folder, before, now }: DoubtOptions): readonly string[] {
  return searchedPaths(check.command, folder, place.root).filter(
    (path) => isIn(before, path) && !isIn(now, path),
  );
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
