import { findGitFolders, isObjectId } from "../../system/git/git-files.ts";
import { readLooseCommit } from "../../system/git/loose-objects.ts";
import { runGit } from "../../system/git/run-git.ts";
import { withStore, type CheckpointStore } from "../checkpoints/store.ts";

/** A user's repository, and where this machine keeps what it needs to work beside it. */
export interface Repository {
  /** Top folder of the user's checkout. */
  readonly root: string;
  readonly stateHome: string;
}

const TIME_LIMIT_MS = 5 * 60_000;

/** The repository's objects. No configuration of its own is read, so no merge driver and no filter can be a program. */
export async function withObjects<T>(
  { root, stateHome }: Repository,
  task: (store: CheckpointStore) => Promise<T>,
): Promise<T> {
  return withStore({ root, stateHome, signal: AbortSignal.timeout(TIME_LIMIT_MS) }, task);
}

/** The repository's objects with the files of another worktree, whose own `.git` is not read: an agent may have deleted or replaced it. */
export async function withWorktree<T>(
  { root, stateHome }: Repository,
  worktree: string,
  task: (store: CheckpointStore) => Promise<T>,
): Promise<T> {
  const folders = findGitFolders(root);
  if (folders === null) throw new Error(`${root} has no usable .git`);
  const signal = AbortSignal.timeout(TIME_LIMIT_MS);
  return withStore({ root: worktree, stateHome, folders, signal }, task);
}

/** The trees of these commits, in their order; null when one of them is not known. */
export async function treesOfCommits(
  store: CheckpointStore,
  commits: readonly string[],
): Promise<readonly string[] | null> {
  if (!commits.every(isObjectId)) return null;
  const read = commits.map((commit) => treeFromFiles(store, commit));
  if (read.every((tree) => tree !== null)) return read;
  const input = Buffer.from(commits.map((commit) => `${commit}^{tree}\n`).join(""));
  const stdout = await store.run(["cat-file", "--batch-check=%(objectname)"], { input });
  const ids = stdout.toString("latin1").split("\n").slice(0, -1);
  return ids.every(isObjectId) ? ids : null;
}

function treeFromFiles({ objects }: CheckpointStore, commit: string): string | null {
  const text = readLooseCommit(objects, commit)?.toString("latin1") ?? "";
  return /^tree ([0-9a-f]+)\n/.exec(text)?.[1] ?? null;
}

/** The tree of a commit; null when the commit isn't known. */
export async function treeOf(root: string, commit: string): Promise<string | null> {
  if (!isObjectId(commit)) return null;
  const outcome = await runGit({ root, args: ["rev-parse", "--verify", "--quiet", `${commit}^{tree}`] });
  return outcome.ok ? outcome.stdout.toString("latin1").trim() : null;
}

/** The content of a file in a commit; null: it isn't there, or git doesn't say. */
export async function fileAt(repository: Repository, commit: string, path: string): Promise<Buffer | null> {
  if (!isObjectId(commit)) return null;
  try {
    return await withObjects(repository, async (store) =>
      store.run(["cat-file", "blob", `${commit}:${path}`]),
    );
  } catch {
    return null;
  }
}

/** Whether a worktree at this commit has the folder. */
export async function hasFolder(root: string, commit: string, folder: string): Promise<boolean> {
  if (folder === "") return true;
  if (!isObjectId(commit)) return false;
  const outcome = await runGit({ root, args: ["cat-file", "-t", `${commit}:${folder}`] });
  return outcome.ok && outcome.stdout.toString("latin1").trim() === "tree";
}
