import { lstatSync } from "node:fs";
import { renderCommit } from "../checkpoints/commit.ts";
import { gitObject } from "../checkpoints/git-objects.ts";
import { keepObjects } from "../checkpoints/keep-objects.ts";
import type { CheckpointStore } from "../checkpoints/store.ts";
import { toText } from "../tree/git-tree.ts";
import { withTrailers, type Trailers } from "./commit-message.ts";
import { keepCommit, refCommit } from "./keep-commit.ts";
import { firstLine, treesOfCommits, withWorktree, type Repository } from "./repository.ts";
import { keepWorktreeFiles, readWorktreeFiles } from "./worktree-files.ts";

export interface ResultToKeep extends Repository {
  readonly worktree: string;
  /** The commit that the work began at; the result's only parent. */
  readonly base: string;
  readonly ref: string;
  readonly message: string;
  readonly trailers: Trailers;
}

export type KeptResult =
  | {
      readonly type: "kept";
      readonly commit: string;
      /** The files are those of the base. */
      readonly isUnchanged: boolean;
      /** Files beyond 100 MB, files that could not be read, and other repositories: only the worktree has them. */
      readonly leftOut: readonly string[];
    }
  | { readonly type: "base-unknown" }
  /** The folder is missing, is a link, or has lost all of its files. */
  | { readonly type: "worktree-gone" }
  | { readonly type: "ref-taken"; readonly by: string }
  | { readonly type: "failed"; readonly why: string };

/**
 * Commits a worktree's files on top of the base, whatever was committed, staged or checked out there meanwhile. The worktree, its
 * index and its branches are left alone. Doing it again with the same files gives the same commit.
 */
export async function keepResult(options: ResultToKeep): Promise<KeptResult> {
  if (!isRealFolder(options.worktree)) return { type: "worktree-gone" };
  try {
    return await withWorktree(options, options.worktree, (store) => keep(store, options));
  } catch (error) {
    return isRealFolder(options.worktree)
      ? { type: "failed", why: firstLine(error) }
      : { type: "worktree-gone" };
  }
}

async function keep(store: CheckpointStore, options: ResultToKeep): Promise<KeptResult> {
  const { root, base, ref } = options;
  const [baseTree] = (await treesOfCommits(store, [base])) ?? [];
  if (baseTree === undefined) return { type: "base-unknown" };
  const files = await readWorktreeFiles(store, base);
  if (files.listed.length === 0 && files.base.size > 0) return { type: "worktree-gone" };
  const { tree, leftOut } = await keepWorktreeFiles(store, files);
  const commit = (await sameResult(store, options, tree)) ?? (await write(store, options, tree, leftOut));
  const kept = await keepCommit({ root, ref, commit });
  if (kept.type !== "kept") return kept;
  return { type: "kept", commit, isUnchanged: tree === baseTree, leftOut: leftOut.map(toText) };
}

/** What an earlier call kept before its process ended. */
async function sameResult(
  store: CheckpointStore,
  { root, base, ref }: ResultToKeep,
  tree: string,
): Promise<string | null> {
  const commit = await refCommit(root, ref);
  if (commit === null) return null;
  const text = (await store.run(["cat-file", "commit", commit])).toString("latin1");
  return text.startsWith(`tree ${tree}\nparent ${base}\nauthor `) ? commit : null;
}

async function write(
  store: CheckpointStore,
  { base, message, trailers }: ResultToKeep,
  tree: string,
  leftOut: readonly string[],
): Promise<string> {
  const at = Math.floor(Date.now() / 1000);
  const text = withTrailers(message, trailers);
  const content = renderCommit({ tree, parent: base, at, leftOut, message: text });
  const commit = gitObject(store.git.hash, "commit", content);
  await keepObjects(store, [commit]);
  return commit.id;
}

function isRealFolder(path: string): boolean {
  try {
    return lstatSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
  } catch {
    return false;
  }
}
