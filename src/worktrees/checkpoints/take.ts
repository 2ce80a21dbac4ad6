import { lstatSync, existsSync } from "node:fs";
import { join } from "node:path";
import { renderCommit } from "./content.ts";
import { wasPruned } from "./pruned.ts";
import { gitObject, treesOf, keepObjects } from "./git-objects.ts";
import { keepContents } from "./keep-contents.ts";
import { objectOf, unwrittenTrees, withStore, type StoreOptions } from "./store.ts";
import { expectOwnRef, placeLine, setCheckpointRef } from "./refs.ts";
import { headCommit } from "../../system/git/run-git.ts";
import { readGitTree } from "../../system/tree/git-tree.ts";
import { expectSuccess, toText, diskPath } from "../../system/tree/index-entries.ts";
import type { TreeReading } from "../../system/tree/tree-digest.ts";
import { refFromFiles, type GitFolders } from "../../system/git/git-files.ts";
import { foldersOf } from "../../system/tree/ignored-files.ts";

export interface Checkpoint {
  readonly commit: string;
  /** Files larger than 100 MB, which were not kept; a restore leaves them alone. */
  readonly skipped: readonly string[];
}

interface NoCheckpoint {
  readonly commit: null;
  /** In one line; null if there is no repository. */
  readonly why: string | null;
}

const TIME_LIMIT_MINUTES = 5;

/** Saves the current worktree: tracked and untracked, unignored files, byte for byte, under our own ref. */
export async function takeCheckpoint(options: {
  readonly root: string;
  readonly stateHome: string;
  /** Such as `refs/loopwright/ID/3`. */
  readonly ref: string;
  readonly message: string;
  /** A recent reading of the same root, so the files aren't read again. */
  readonly reading?: TreeReading | null;
}): Promise<Checkpoint | NoCheckpoint> {
  expectOwnRef(options.ref);
  if (lstatSync(join(options.root, ".git"), { throwIfNoEntry: false }) === undefined)
    return { commit: null, why: null };
  const signal = AbortSignal.timeout(TIME_LIMIT_MINUTES * 60_000);
  const taking = { ...options, signal };
  try {
    // If a file appears, disappears or changes between two reads, try again from scratch.
    return await take(taking).catch(() => {
      forgetObjects(options.root);
      return take({ ...taking, reading: null });
    });
  } catch (error) {
    const why = signal.aborted ? `it takes more than ${TIME_LIMIT_MINUTES} minutes` : firstLine(error);
    return { commit: null, why };
  }
}

/** Git prints the cause first, then the consequences. */
function firstLine(error: unknown): string {
  const [line = ""] = (error instanceof Error ? error.message : String(error)).split("\n");
  return line;
}

async function take(
  options: StoreOptions & {
    readonly ref: string;
    readonly message: string;
    readonly reading?: TreeReading | null;
  },
): Promise<Checkpoint> {
  const { root, ref, message, reading } = options;
  const at = Math.floor((reading?.at ?? Date.now()) / 1000);
  return withStore(options, async (store) => {
    const known = knownObjects(root, store.folders);
    const [listed, parent] = await Promise.all([reading?.tree ?? readGitTree(options), headCommit(root)]);
    const { files, tooLarge, unwritten } = await keepContents(store, listed.files, known);
    const paths = listed.files.map(({ path }) => path);
    const leftOut = [...tooLarge, ...rulesBeside(store.git.root, paths)];
    const { hash } = store.git;
    const trees = treesOf(hash, files);
    const tree = trees.at(-1)?.id ?? "";
    const told = `${message}\n\n${placeLine(root)}`;
    const commit = gitObject(hash, "commit", renderCommit({ tree, parent, at, leftOut, message: told }));
    const newTrees =
      known === null ? await unwrittenTrees(store, trees) : trees.filter(({ id }) => !known.has(id));
    await keepObjects(store, [...unwritten, ...newTrees, commit]);
    expectSuccess(await setCheckpointRef({ root, ref, commit: commit.id }));
    if (await wasPruned({ root, commit: commit.id, beyond: parent }))
      throw new Error("its objects were pruned meanwhile");
    const objects = new Set([...trees.map(({ id }) => id), ...files.map(([, version]) => objectOf(version))]);
    rememberObjects(root, { ref, commit: commit.id, objects });
    return { commit: commit.id, skipped: tooLarge.map(toText) };
  });
}

interface Kept {
  readonly ref: string;
  readonly commit: string;
  readonly objects: ReadonlySet<string>;
}

/** The content of this process's last checkpoint, by the root of the worktree. */
const lastKept = new Map<string, Kept>();

/**
 * Files and folders that the repository certainly has: those of the last checkpoint, as long as its ref exists and keeps them
 * from being pruned. Null if there is none and git has to be asked.
 */
function knownObjects(root: string, folders: GitFolders): ReadonlySet<string> | null {
  const last = lastKept.get(root);
  if (last === undefined) return null;
  return refFromFiles(folders, last.ref) === last.commit ? last.objects : null;
}

function rememberObjects(root: string, kept: Kept): void {
  lastKept.set(root, kept);
}

function forgetObjects(root: string): void {
  lastKept.delete(root);
}

/** A `.gitignore`, which decides what else is listed. */
export function isRules(path: string): boolean {
  return path === ".gitignore" || path.endsWith("/.gitignore");
}

/** Rules on disk, in the folders of these files, that aren't in the list, because rules can ignore themselves. */
export function rulesBeside(root: string, files: readonly string[]): readonly string[] {
  const listed = new Set(files.filter(isRules));
  const rules = [...foldersOf(files)].map((folder) => `${folder}.gitignore`);
  return rules.filter((path) => !listed.has(path) && existsSync(diskPath(root, path)));
}
