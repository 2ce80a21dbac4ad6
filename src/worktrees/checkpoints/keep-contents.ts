import { lstatSync, closeSync, constants, fstatSync, openSync, readlinkSync, readSync } from "node:fs";
import { join } from "node:path";
import { versionsOf, type Version } from "./content.ts";
import { gitObject, type GitObject } from "./git-objects.ts";
import { LARGEST_KEPT_BYTES, MOST_WRITTEN_BYTES, MOST_WRITTEN_OBJECTS } from "./checkpoint-sizes.ts";
import { objectOf, sizesOf, type CheckpointStore } from "./store.ts";
import { listEntries } from "../../system/tree/git-tree.ts";
import { renderPaths, diskPath, type IndexEntry } from "../../system/tree/index-entries.ts";
import type { PrivateGit } from "../../system/tree/private-git.ts";

interface KeptContents {
  /** By path, as bytes in latin1, in the order of git's index. */
  readonly files: readonly (readonly [string, Version])[];
  readonly tooLarge: readonly string[];
  /** Contents of these files still to be written, besides the trees. */
  readonly unwritten: readonly GitObject[];
}

interface Strange {
  /** The repository may not have these. */
  readonly unknown: ReadonlyMap<string, Version>;
  readonly unknownBytes: number;
  readonly tooLarge: readonly string[];
}

/** Makes sure that the repository has the contents of these files, except the largest, and what is still unwritten. */
export async function keepContents(
  store: CheckpointStore,
  listed: readonly IndexEntry[],
  known: ReadonlySet<string> | null,
): Promise<KeptContents> {
  const versions = [...versionsOf(listed)];
  const { unknown, unknownBytes, tooLarge } = await strangeAmong(store, versions, known);
  const leftOut = new Set(tooLarge);
  const kept = versions.filter(([path]) => !leftOut.has(path));
  const areFew = unknown.size <= MOST_WRITTEN_OBJECTS && unknownBytes <= MOST_WRITTEN_BYTES;
  const unwritten = areFew ? contentsAsListed(store.git, unknown) : null;
  if (unwritten !== null) return { files: kept, tooLarge, unwritten };
  const written = await writeContents(store, unknown);
  const files = kept.flatMap(([path, version]): [string, Version][] => {
    const now = unknown.has(path) ? written.get(path) : version;
    return now === undefined ? [] : [[path, now]];
  });
  return { files, tooLarge, unwritten: [] };
}

async function strangeAmong(
  store: CheckpointStore,
  versions: readonly (readonly [string, Version])[],
  known: ReadonlySet<string> | null,
): Promise<Strange> {
  const strange = versions.filter(([, version]) => known?.has(objectOf(version)) !== true);
  // When a checkpoint has the rest, these are few: write them, and skip those that exist.
  const objects = known === null ? strange.map(([, version]) => objectOf(version)) : [];
  const sizes = await sizesOf(store, objects);
  const unknown = new Map<string, Version>();
  const tooLarge: string[] = [];
  let unknownBytes = 0;
  for (const [position, [path, version]] of strange.entries()) {
    const kept = sizes[position] ?? null;
    const size = kept ?? lstatSync(diskPath(store.git.root, path)).size;
    if (size > LARGEST_KEPT_BYTES) tooLarge.push(path);
    else if (kept === null) {
      unknown.set(path, version);
      unknownBytes += size;
    }
  }
  return { unknown, unknownBytes, tooLarge };
}

/** As they are now, which may differ from the listed version or be gone. */
async function writeContents(
  store: CheckpointStore,
  listed: ReadonlyMap<string, Version>,
): Promise<ReadonlyMap<string, Version>> {
  const index = join(store.scratch(), "index");
  const args = ["update-index", "--add", "--remove", "--replace", "-z", "--stdin"];
  await store.run(args, { index, input: renderPaths([...listed.keys()]) });
  return versionsOf(await listEntries(store.git, index));
}

/** Doesn't follow links or wait for pipes: what was a file may be something else by now. */
const AS_IT_LIES = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;

/** The contents of these files, each once; null if one changed since it was listed. */
function contentsAsListed(
  { root, hash }: PrivateGit,
  files: ReadonlyMap<string, Version>,
): readonly GitObject[] | null {
  const blobs = new Map<string, GitObject>();
  for (const [path, version] of files) {
    const isLink = version.startsWith("120000 ");
    const content = isLink ? linkText(diskPath(root, path)) : fileContent(diskPath(root, path));
    if (content === null) return null;
    const blob = gitObject(hash, "blob", content);
    if (blob.id !== objectOf(version)) return null;
    blobs.set(blob.id, blob);
  }
  return [...blobs.values()];
}

function linkText(path: Buffer): Buffer | null {
  try {
    return readlinkSync(path, { encoding: "buffer" });
  } catch {
    return null;
  }
}

/** Reads up to the size at opening, even if the file grows meanwhile. */
function fileContent(path: Buffer): Buffer | null {
  let file: number;
  try {
    file = openSync(path, AS_IT_LIES);
  } catch {
    return null;
  }
  try {
    const found = fstatSync(file);
    if (!found.isFile() || found.size > MOST_WRITTEN_BYTES) return null;
    const content = Buffer.allocUnsafe(found.size);
    return readSync(file, content) === found.size ? content : null;
  } catch {
    return null;
  } finally {
    closeSync(file);
  }
}
