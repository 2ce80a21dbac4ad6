import { lstat } from "node:fs/promises";
import { join } from "node:path";
import { versionsOf, type Version } from "./content.ts";
import { diskPath } from "./files.ts";
import { LARGEST_KEPT_BYTES } from "./limits.ts";
import { objectOf, sizesOf } from "./objects.ts";
import type { CheckpointStore } from "./store.ts";
import { listEntries } from "../tree/git-tree.ts";
import { renderPaths, type IndexEntry } from "../tree/index-listing.ts";

export interface KeptContents {
  /** By path, as bytes in latin1, in the order of git's index. */
  readonly files: readonly (readonly [string, Version])[];
  readonly tooLarge: readonly string[];
}

/** Sees to it that the repository has the contents of all these files but the largest. */
export async function keepContents(
  store: CheckpointStore,
  listed: readonly IndexEntry[],
  known: ReadonlySet<string> | null,
): Promise<KeptContents> {
  const versions = [...versionsOf(listed)];
  const { unknown, tooLarge } = await specialAmong(store, versions, known);
  const written = await writeContents(store, unknown);
  const leftOut = new Set(tooLarge);
  return {
    tooLarge,
    files: versions.flatMap(([path, version]) => {
      if (leftOut.has(path)) return [];
      if (!unknown.has(path)) return [[path, version] as const];
      const now = written.get(path);
      return now === undefined ? [] : [[path, now] as const];
    }),
  };
}

async function specialAmong(
  store: CheckpointStore,
  versions: readonly (readonly [string, Version])[],
  known: ReadonlySet<string> | null,
): Promise<{ readonly unknown: ReadonlySet<string>; readonly tooLarge: readonly string[] }> {
  const strange = versions.filter(([, version]) => known?.has(objectOf(version)) !== true);
  // Beside a checkpoint that has the rest, these are few: they are written, and git passes over those that it has.
  const sizes =
    known === null
      ? await sizesOf(
          store,
          strange.map(([, version]) => objectOf(version)),
        )
      : [];
  const unknown = new Set<string>();
  const tooLarge: string[] = [];
  for (const [position, [path]] of strange.entries()) {
    const kept = sizes[position] ?? null;
    const size = kept ?? (await lstat(diskPath(store.git.root, path))).size;
    if (size > LARGEST_KEPT_BYTES) tooLarge.push(path);
    else if (kept === null) unknown.add(path);
  }
  return { unknown, tooLarge };
}

/** As they are now, which may be another version than the listed one; or gone. */
async function writeContents(
  store: CheckpointStore,
  paths: ReadonlySet<string>,
): Promise<ReadonlyMap<string, Version>> {
  if (paths.size === 0) return new Map();
  const index = join(store.scratch, "index");
  const args = ["update-index", "--add", "--remove", "--replace", "-z", "--stdin"];
  await store.run(args, { index, input: renderPaths([...paths]) });
  return versionsOf(await listEntries(store.git, index));
}
