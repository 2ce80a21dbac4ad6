import type { ComparedCheck, Comparison } from "./compare.ts";
import type { Place } from "./kept-files.ts";
import { listKept } from "./kept-files.ts";
import { startSince } from "./move-opening.ts";
import type { Opening } from "./opening-record.ts";

/**
 * A check whose opening moves for files that a person approved in another loop. What is exactly as approved is judged no more;
 * anything else is judged by what was approved, the last one.
 */
export async function withApproved(
  place: Place,
  { now }: Pick<Comparison, "now">,
  check: ComparedCheck,
  approved: Opening["approved"],
): Promise<ComparedCheck> {
  const versions = new Map<string, string | undefined>();
  for (const { kept, paths } of approved) {
    const { listing } = await listKept(place, kept);
    for (const path of paths) versions.set(path, listing.get(path));
  }
  const changes = check.changes.filter(({ path }) => versions.has(path));
  if (changes.length === 0) return check;
  const { opening } = check;
  const { listing: then } = await listKept(place, opening.kept);
  // Files that git ignores are in no listing, which says nothing about them.
  const isListed = (path: string): boolean => then.has(path) || now.has(path);
  const isAsApproved = (path: string): boolean =>
    versions.has(path) && isListed(path) && versions.get(path) === now.get(path);
  return {
    ...check,
    opening: {
      ...opening,
      approved: [...opening.approved, ...approved],
      start: startSince(opening, changes),
    },
    judged: check.judged.filter(({ path }) => !isAsApproved(path)),
  };
}
