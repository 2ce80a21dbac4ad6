import * as v from "valibot";
import { filesInCheckpoint, versionsInCheckpoint, versionsOf } from "../../worktrees/checkpoints/content.ts";
import { takeCheckpoint } from "../../worktrees/checkpoints/take.ts";
import type { TreeReading } from "../../system/tree/tree-digest.ts";
import { isByLooks } from "../../system/tree/file-version.ts";
import { toText } from "../../system/tree/index-entries.ts";
import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { lstat, mkdir, readFile, readlink, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { readJsonFile, writePrivateJson } from "../../system/files/json-file.ts";
import { walkedPaths } from "../../system/tree/walked-files.ts";
import { filesAt, type DefiningFiles } from "../definitions/project-files.ts";

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

/** If nothing says what is generated, a project larger than this is mostly generated. */
const MOST_FILES = 20_000;
const MOST_BYTES = 200 * 1024 * 1024;

const VERSION = /^(100644|100755|120000) [0-9a-f]{64}$/;
const listing = v.record(v.string(), v.pipe(v.string(), v.regex(VERSION)));
const LISTING = "listing.json";

/** Copies a project without git. `seen`: the readable files, if the caller just read them. */
async function keepCopy(place: Place, folder: string, seen: readonly string[] | null): Promise<Kept> {
  const { root, home: stateHome } = place;
  const paths = seen ?? (await walkedPaths({ root, stateHome })).paths;
  if (paths.length > MOST_FILES)
    return { type: "none", why: `more than ${MOST_FILES} files are too many to keep without git` };
  try {
    if (await copyFiles({ root, paths, folder, mostBytes: MOST_BYTES })) return { type: "copy", folder };
    return await given(folder, "more than 200 MB are too much to keep without git");
  } catch (error) {
    // A file that cannot be read or disappeared meanwhile.
    return given(folder, error instanceof Error ? error.message : String(error));
  }
}

async function given(folder: string, why: string): Promise<Kept> {
  await rm(folder, { recursive: true, force: true });
  return { type: "none", why };
}

/** Copies files to our folder, each content once. Returns whether they were small enough. */
export async function copyFiles(options: {
  readonly root: string;
  readonly paths: readonly string[];
  readonly folder: string;
  readonly mostBytes: number;
}): Promise<boolean> {
  const { root, paths, folder, mostBytes } = options;
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const versions: Record<string, string> = {};
  let bytes = 0;
  for (const path of paths) {
    bytes += (await lstat(join(root, path))).size;
    if (bytes > mostBytes) return false;
    const { mode, content } = await fileAt(root, path);
    const digest = digestOf(content);
    versions[path] = `${mode} ${digest}`;
    const kept = join(folder, digest);
    if (!existsSync(kept)) await writeFile(kept, content, { mode: 0o600 });
  }
  writePrivateJson(join(folder, LISTING), versions);
  return true;
}

interface Copy {
  readonly listing: Listing;
  read(paths: ReadonlySet<string>): Promise<ReadonlyMap<string, OldFile>>;
}

export async function readCopy(folder: string): Promise<Copy> {
  const versions = readJsonFile(join(folder, LISTING), listing);
  if (versions === null) throw new Error("the copy of the project's files is gone");
  return {
    listing: new Map(Object.entries(versions)),
    read: async (paths) => {
      const files = new Map<string, OldFile>();
      for (const path of paths) {
        const version = versions[path];
        if (version === undefined) continue;
        const content = await readFile(join(folder, version.slice(7)));
        files.set(path, { mode: version.slice(0, 6) as OldFile["mode"], content });
      }
      return files;
    },
  };
}

async function fileAt(root: string, path: string): Promise<OldFile> {
  const full = join(root, path);
  const found = await lstat(full);
  if (found.isSymbolicLink())
    return { mode: "120000", content: await readlink(full, { encoding: "buffer" }) };
  return { mode: (found.mode & 0o100) === 0 ? "100644" : "100755", content: await readFile(full) };
}

function digestOf(content: Buffer): string {
  return createHash("sha256").update(content).digest("hex");
}

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
