import { filesAt, type DefiningFiles } from "../definitions/project-files.ts";
import { listKept, readKept } from "./kept-files.ts";
import type { Kept, Listing, Place } from "./kept-files.ts";

/** The project's files at the opening and now, read on demand: what didn't change is read from the project. */
export async function filesBeforeAndNow(
  place: Place,
  kept: Kept,
  listing: Listing,
): Promise<{ readonly before: DefiningFiles; readonly now: DefiningFiles }> {
  const now = filesAt(place.root, [...listing.keys()], listing);
  const { listing: versions } = await listKept(place, kept);
  const changed = new Set(
    [...versions].flatMap(([path, each]) => (listing.get(path) === each ? [] : [path])),
  );
  const old = await readKept(place, kept, changed);
  const before: DefiningFiles = {
    paths: [...versions.keys()],
    read: async (path) => {
      if (!versions.has(path)) return null;
      return changed.has(path) ? (old.get(path)?.content.toString("utf8") ?? null) : now.read(path);
    },
    digest: async (path) => versions.get(path) ?? null,
  };
  return { before, now };
}
