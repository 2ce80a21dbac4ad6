import { filesInCheckpoint, versionsInCheckpoint } from "../checkpoints/read-files.ts";
import { versionsOf } from "../checkpoints/content.ts";
import { takeCheckpoint } from "../checkpoints/take.ts";
import { toText } from "../tree/git-tree.ts";
import type { TreeReading } from "../tree/tree-digest.ts";
import { isByLooks } from "../tree/file-version.ts";
import { keepCopy, readCopy } from "./copied-files.ts";

/** Where the project's files are kept as they once were. */
export type Kept =
  | { readonly type: "git"; readonly commit: string }
  | { readonly type: "copy"; readonly folder: string }
  | { readonly type: "none"; readonly why: string };

/** Mode and content of each file, as a text that is equal for equal files. */
export type Listing = ReadonlyMap<string, string>;

/** A file with its bytes; the modes are git's, and a link's content is its target. */
export interface OldFile {
  readonly mode: "100644" | "100755" | "120000";
  readonly content: Buffer;
}

/** A worktree, and where this machine keeps what it knows. */
export interface Place {
  readonly root: string;
  readonly home: string;
}

/** Keeps the files as they are now: in the repository's own objects under a ref of ours, or copied into a folder where there is none. */
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

/** The files as they were, and those that were too large to be kept. Throws when they are not whole any more. */
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

/** The files as they are now, in the same terms. */
export function listNow(reading: TreeReading | null): Listing {
  if (reading === null) throw new Error("the project's files cannot be read");
  const versions = reading.tree === null ? reading.walked : versionsOf(reading.tree.files);
  // The largest files are not kept, so nothing tells what they were.
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
