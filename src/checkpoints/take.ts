import { lstat } from "node:fs/promises";
import { join } from "node:path";
import { renderCommit } from "./commit.ts";
import { diskPath } from "./files.ts";
import { LARGEST_KEPT_BYTES } from "./limits.ts";
import { sizesOf } from "./objects.ts";
import { configuredHooksOff, expectOwnRef, setCheckpointRef } from "./refs.ts";
import { rulesBeside } from "./rules.ts";
import { withStore, type CheckpointStore, type StoreOptions } from "./store.ts";
import { headCommit } from "../git/run-git.ts";
import { readGitTree, toText } from "../tree/git-tree.ts";
import { expectSuccess, renderPaths, type IndexEntry } from "../tree/index-listing.ts";

export { changesSince, type FileChange } from "./changes.ts";
export { restoreCheckpoint, type Restored } from "./restore.ts";

export interface Checkpoint {
  readonly commit: string;
  /** Files beyond 100 MB, which were not kept; a restore leaves them alone. */
  readonly skipped: readonly string[];
}

export interface NoCheckpoint {
  readonly commit: null;
  /** In one line; null where there is no repository, and so nothing to be kept in. */
  readonly why: string | null;
}

const TIME_LIMIT_MINUTES = 5;

/** With the blank behind it. */
const MODE_LENGTH = 7;

interface Special {
  /** Not yet in the repository. */
  readonly unknown: readonly string[];
  readonly tooLarge: readonly string[];
}

/** Keeps the worktree as it is now: tracked and untracked, unignored files, byte for byte, under a ref of ours. */
export async function takeCheckpoint(options: {
  readonly root: string;
  readonly stateHome: string;
  /** Such as `refs/loopwright/ID/3`. */
  readonly ref: string;
  readonly message: string;
}): Promise<Checkpoint | NoCheckpoint> {
  expectOwnRef(options.ref);
  if ((await lstat(join(options.root, ".git")).catch(() => null)) === null)
    return { commit: null, why: null };
  const signal = AbortSignal.timeout(TIME_LIMIT_MINUTES * 60_000);
  const taking = { ...options, signal };
  try {
    // A file that comes, goes or changes between two looks is worth a second try.
    return await take(taking).catch(() => take(taking));
  } catch (error) {
    const why = signal.aborted ? `it takes longer than ${TIME_LIMIT_MINUTES} minutes` : firstLine(error);
    return { commit: null, why };
  }
}

/** Git names the cause first, and then what came of it. */
function firstLine(error: unknown): string {
  const [line = ""] = (error instanceof Error ? error.message : String(error)).split("\n");
  return line;
}

async function take(
  options: StoreOptions & { readonly ref: string; readonly message: string },
): Promise<Checkpoint> {
  const { root, ref, message } = options;
  const at = Math.floor(Date.now() / 1000);
  return withStore(options, async (store) => {
    const [{ files }, parent, hooksOff] = await Promise.all([
      readGitTree(options),
      headCommit(root),
      configuredHooksOff(root),
    ]);
    const index = join(store.scratch, "index");
    const listing = renderPaths(files.map((file) => file.line));
    const [special] = await Promise.all([
      specialAmong(store, files),
      store.run(["update-index", "-z", "--index-info"], { index, input: listing }),
    ]);
    const tree = await writeTree(store, index, special);
    const paths = files.map(({ path }) => path);
    const leftOut = [...special.tooLarge, ...rulesBeside(store.git.root, paths)];
    const commit = await writeCommit(store, renderCommit({ tree, parent, at, leftOut, message }));
    expectSuccess(await setCheckpointRef({ root, ref, commit, hooksOff }));
    return { commit, skipped: special.tooLarge.map(toText) };
  });
}

async function specialAmong(store: CheckpointStore, files: readonly IndexEntry[]): Promise<Special> {
  const sizes = await sizesOf(store, files.map(objectOf));
  const unknown: string[] = [];
  const tooLarge: string[] = [];
  for (const [position, { path }] of files.entries()) {
    const kept = sizes[position] ?? null;
    const size = kept ?? (await sizeOnDisk(store.git.root, path));
    if (size > LARGEST_KEPT_BYTES) tooLarge.push(path);
    else if (kept === null) unknown.push(path);
  }
  return { unknown, tooLarge };
}

async function sizeOnDisk(root: string, path: string): Promise<number> {
  return (await lstat(diskPath(root, path))).size;
}

async function writeTree(
  store: CheckpointStore,
  index: string,
  { unknown, tooLarge }: Special,
): Promise<string> {
  if (tooLarge.length > 0) {
    const args = ["update-index", "--force-remove", "-z", "--stdin"];
    await store.run(args, { index, input: renderPaths(tooLarge) });
  }
  if (unknown.length > 0) {
    const args = ["update-index", "--add", "--remove", "--replace", "-z", "--stdin"];
    await store.run(args, { index, input: renderPaths(unknown) });
  }
  return idFrom(await store.run(["write-tree"], { index }));
}

async function writeCommit(store: CheckpointStore, input: Buffer): Promise<string> {
  return idFrom(await store.run(["hash-object", "-t", "commit", "-w", "--stdin"], { input }));
}

function idFrom(stdout: Buffer): string {
  return stdout.toString("latin1").trim();
}

function objectOf({ line }: IndexEntry): string {
  return line.slice(MODE_LENGTH, line.indexOf(" ", MODE_LENGTH));
}
