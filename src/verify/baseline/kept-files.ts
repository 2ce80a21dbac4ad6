import { filesInCheckpoint, versionsInCheckpoint, versionsOf } from "../../worktrees/checkpoints/content.ts";
import { takeCheckpoint } from "../../worktrees/checkpoints/take.ts";
import type { TreeReading } from "../../system/tree/tree-digest.ts";
import { isByLooks } from "../../system/tree/file-version.ts";
import { keepCopy, readCopy } from "./copied-files.ts";
import { toText } from "../../system/tree/index-entries.ts";

/** Where the earlier versions of the project's files are kept. */
export type Kept =
  | { readonly type: "git"; readonly commit: string }
  | { readonly type: "copy"; readonly folder: string }
  | { readonly type: "none"; readonly why: string };

/** Mode and content of each file, as text that is equal for equal files. */
export type Listing = ReadonlyMap<string, string>;

/** A file with its bytes; the modes are git's, and a link's content is its target. */
export interface OldFile {
  readonly mode: "100644" | "100755" | "120000";
  readonly content: Buffer;
}

/** A worktree and the state home. */
export interface Place {
  readonly root: string;
  readonly home: string;
}

/** Keeps the current files: in the repository's own objects under our ref, or as copies if there is no repository. */
export async function keepFiles(
  place: Place,
  where: { readonly ref: string; readonly folder: string; readonly message: string },
  reading: TreeReading | null,
): Promise<Kept> {
  const { root, home: stateHome } = place;
  const { ref, folder, message } = where;
  const taken = await takeCheckpoint({ root, stateHome, ref, message, reading });
  if (taken.commit !== null) return { type: "git", commit: taken.commit };
  if (taken.why !== null) return { type: "none", why: taken.why };
  return keepCopy(place, folder, reading === null ? null : [...listNow(reading).keys()]);
}

/** The kept files, and those that were too large. Throws if they are no longer complete. */
export async function listKept(
  place: Place,
  kept: Kept,
): Promise<{ readonly listing: Listing; readonly leftOut: ReadonlySet<string> }> {
  switch (kept.type) {
    case "git": {
      const which = { root: place.root, stateHome: place.home, commit: kept.commit };
      const { versions: listing, leftOut } = await versionsInCheckpoint(which);
      return { listing, leftOut };
    }
    case "copy":
      return { listing: (await readCopy(kept.folder)).listing, leftOut: new Set() };
    case "none":
      throw new Error(kept.why);
  }
}

/** The current files, in the same form. */
export function listNow(reading: TreeReading | null): Listing {
  if (reading === null) throw new Error("the project's files cannot be read");
  const versions = reading.tree === null ? reading.walked : versionsOf(reading.tree.files);
  // The largest files are not kept, so their earlier content is unknown.
  const read = [...(versions ?? [])].filter(([, version]) => !isByLooks(version));
  return new Map(reading.tree === null ? read : read.map(([path, version]) => [toText(path), version]));
}

export async function readKept(
  place: Place,
  kept: Kept,
  paths: ReadonlySet<string>,
): Promise<ReadonlyMap<string, OldFile>> {
  switch (kept.type) {
    case "git": {
      const which = { root: place.root, stateHome: place.home, commit: kept.commit };
      const files = await filesInCheckpoint(which, paths);
      return new Map(
        [...files].map(([path, { mode, content }]) => [path, { mode: mode as OldFile["mode"], content }]),
      );
    }
    case "copy":
      return (await readCopy(kept.folder)).read(paths);
    case "none":
      throw new Error(kept.why);
  }
}
