import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { readCheckpoint, versionsOf, type Version } from "./content.ts";
import { lookAt } from "./files.ts";
import { withStore, type CheckpointStore } from "./store.ts";
import { PATCH, patchedFiles, type PatchedFile } from "../integration/read-diff.ts";
import { readGitTree } from "../../system/tree/git-tree.ts";
import { expectSuccess, parsePaths, renderPaths, toText } from "../../system/tree/index-entries.ts";

export interface FileChange {
  readonly path: string;
  readonly kind: "added" | "changed" | "deleted";
  /** Lines; null if not counted, for example in an image. */
  readonly added: number | null;
  readonly deleted: number | null;
}

type Lines = Pick<FileChange, "added" | "deleted">;

const TIME_LIMIT_MS = 2 * 60_000;
const MOST_COUNTED = 200;

/** Git doesn't count lines in larger files, so they need not be read. */
const LARGEST_COUNTED_BYTES = 1024 * 1024;

interface Since {
  readonly root: string;
  readonly stateHome: string;
  readonly commit: string;
}

interface Versions {
  readonly before: ReadonlyMap<string, Version>;
  readonly now: ReadonlyMap<string, Version>;
  /** Which differ, sorted. */
  readonly paths: readonly string[];
}

/**
 * What changed in the worktree since a checkpoint, sorted by path; null if unknown. Lines are counted for the first 200 files.
 */
export async function changesSince(since: Since): Promise<readonly FileChange[] | null> {
  return compared(since, async (store, versions) => {
    const { before, now, paths } = versions;
    const counted = { ...versions, paths: paths.slice(0, MOST_COUNTED) };
    const lines = await countLines(store, counted).catch(() => new Map<string, Lines>());
    return paths.map((path) => ({
      path: toText(path),
      kind: !before.has(path) ? "added" : now.has(path) ? "changed" : "deleted",
      ...(lines.get(path) ?? { added: null, deleted: null }),
    }));
  });
}

/** The lines in which these files differ from a checkpoint now, sorted by path; null if unknown. */
export async function diffSince(
  since: Since,
  wanted: readonly string[],
): Promise<readonly PatchedFile[] | null> {
  return compared(since, async (store, versions) => {
    const paths = versions.paths.filter((path) => wanted.includes(toText(path)));
    const patch = await treesCompared(store, { ...versions, paths }, PATCH);
    return patchedFiles(patch, paths.map(toText));
  });
}

async function compared<T>(
  { commit, ...place }: Since,
  use: (store: CheckpointStore, versions: Versions) => Promise<T>,
): Promise<T | null> {
  const looking = { ...place, signal: AbortSignal.timeout(TIME_LIMIT_MS) };
  try {
    return await withStore(looking, async (store) => {
      const { files: before, leftOut } = await readCheckpoint(store, commit);
      const now = versionsOf((await readGitTree(looking)).files);
      const paths = [...new Set([...before.keys(), ...now.keys()])]
        .filter((path) => before.get(path) !== now.get(path) && !leftOut.has(path))
        .toSorted();
      return use(store, { before, now, paths });
    });
  } catch {
    return null;
  }
}

async function countLines(store: CheckpointStore, versions: Versions): Promise<ReadonlyMap<string, Lines>> {
  return new Map(parsePaths(await treesCompared(store, versions, NUMSTAT)).map(parseRow));
}

const NUMSTAT = ["diff-tree", "-r", "-z", "--numstat", "--no-renames", "--no-ext-diff", "--no-textconv"];

/** Compares two trees of only these files; their objects are deleted with the scratch folder. */
async function treesCompared(
  store: CheckpointStore,
  { before, now, paths }: Versions,
  args: readonly string[],
): Promise<Buffer> {
  if (paths.length === 0) return Buffer.alloc(0);
  const { git } = store;
  const scratch = store.scratch();
  const objects = join(scratch, "objects");
  await mkdir(objects);
  const run = async (index: string, args: readonly string[], input?: Buffer): Promise<Buffer> =>
    expectSuccess(
      await git.run(args, {
        index: join(scratch, index),
        scratch: objects,
        ...(input === undefined ? {} : { input }),
      }),
    );
  const small: string[] = [];
  for (const path of paths) {
    const found = await lookAt(git.root, path);
    if (found === null || found.size <= LARGEST_COUNTED_BYTES) small.push(path);
  }
  const old = small.filter((path) => before.has(path)).map((path) => `${before.get(path)}\t${path}`);
  await run("before", ["update-index", "-z", "--index-info"], renderPaths(old));
  await run(
    "now",
    ["update-index", "--add", "--remove", "--replace", "-z", "--stdin"],
    renderPaths(small.filter((path) => now.has(path))),
  );
  const trees = [];
  for (const index of ["before", "now"]) {
    trees.push((await run(index, ["write-tree"])).toString("latin1").trim());
  }
  return run("now", [...args, ...trees]);
}

function parseRow(row: string): [string, Lines] {
  const [added = "", deleted = "", ...path] = row.split("\t");
  const count = (text: string): number | null => (/^\d+$/.test(text) ? Number(text) : null);
  return [path.join("\t"), { added: count(added), deleted: count(deleted) }];
}
