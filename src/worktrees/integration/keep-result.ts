import { lstatSync } from "node:fs";
import { renderCommit } from "../checkpoints/content.ts";
import { wasPruned } from "../checkpoints/pruned.ts";
import { gitObject, keepObjects } from "../checkpoints/git-objects.ts";
import type { CheckpointStore } from "../checkpoints/store.ts";
import { withTrailers, type Trailers } from "./branch.ts";
import { keepCommit, refCommit, type KeptCommit } from "../checkpoints/refs.ts";
import { treesOfCommits, withWorktree, type Repository } from "./repository.ts";
import { keepWorktreeFiles, readWorktreeFiles, type WorktreeFiles } from "./worktree-files.ts";
import { toText } from "../../system/tree/index-entries.ts";
import { firstLine } from "../../system/git/run-git.ts";

export interface ResultToKeep extends Repository {
  readonly worktree: string;
  /** The commit that the work began at; the result's only parent. */
  readonly base: string;
  readonly ref: string;
  readonly message: string;
  readonly trailers: Trailers;
  /** Left out of the result; all files together are then kept in a ref of their own. */
  readonly without?: NotTheWork & { readonly allRef: string };
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
  for (let tries = 1; ; tries += 1) {
    const kept = await tryToKeep(options);
    if (kept.type !== "failed" || tries === MOST_TRIES) return kept;
  }
}

/** Somebody's `git gc --prune=now` may take new objects away before a ref leads to them. */
const MOST_TRIES = 20;

async function tryToKeep(options: ResultToKeep): Promise<KeptResult> {
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
  const { base, without } = options;
  const [baseTree] = (await treesOfCommits(store, [base])) ?? [];
  if (baseTree === undefined) return { type: "base-unknown" };
  const files = await readWorktreeFiles(store, base);
  if (files.listed.length === 0 && files.base.size > 0) return { type: "worktree-gone" };
  const work = await withoutWritten(files, without);
  if (without !== undefined && work !== files) {
    const all = await keepFiles(store, { ...options, ref: without.allRef }, files);
    if (all.type !== "kept") return all;
  }
  const kept = await keepFiles(store, options, work);
  if (kept.type !== "kept") return kept;
  const { commit, tree, leftOut } = kept;
  return { type: "kept", commit, isUnchanged: tree === baseTree, leftOut: leftOut.map(toText) };
}

async function withoutWritten(
  files: WorktreeFiles,
  without: ResultToKeep["without"],
): Promise<WorktreeFiles> {
  if (without === undefined) return files;
  const added = files.listed.filter(({ path }) => !files.base.has(path)).map(({ path }) => toText(path));
  const left = new Set(await onlyWritten(added, [...files.base.keys()].map(toText), without));
  if (left.size === 0) return files;
  return { ...files, listed: files.listed.filter(({ path }) => !left.has(toText(path))) };
}

async function keepFiles(
  store: CheckpointStore,
  options: ResultToKeep,
  files: WorktreeFiles,
): Promise<
  | {
      readonly type: "kept";
      readonly commit: string;
      readonly tree: string;
      readonly leftOut: readonly string[];
    }
  | Exclude<KeptCommit, { readonly type: "kept" }>
> {
  const { root, ref } = options;
  const { tree, leftOut } = await keepWorktreeFiles(store, files);
  const commit = (await sameResult(store, options, tree)) ?? (await write(store, options, tree, leftOut));
  const kept = await keepCommit({ root, ref, commit });
  if (kept.type === "kept" && (await wasPruned({ root, commit, beyond: options.base })))
    return { type: "failed", why: "its objects were pruned meanwhile" };
  return kept.type === "kept" ? { type: "kept", commit, tree, leftOut } : kept;
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

/** What isn't the work, although it lies in its worktree. */
export interface NotTheWork {
  /** Files that setup or checks added while no agent worked. */
  readonly written: readonly string[];
  /** The files that the agent handed to git: they are the work, whoever wrote them. null: unknown, so all may be. */
  readonly tracked: () => Promise<ReadonlySet<string> | null>;
}

/**
 * Those of the new files that only checks wrote: the very files and, in folders that the base doesn't have, files with the same
 * ending, such as what a test runner caches for a new test.
 */
export async function onlyWritten(
  added: readonly string[],
  base: Iterable<string>,
  { written, tracked }: NotTheWork,
): Promise<readonly string[]> {
  if (added.length === 0 || written.length === 0) return [];
  const known = new Set([...base].map(folderOf));
  const exact = new Set(written);
  const alike = new Set(written.filter((path) => !known.has(folderOf(path))).map(folderAndEnding));
  const found = added.filter((path) => exact.has(path) || alike.has(folderAndEnding(path)));
  if (found.length === 0) return [];
  const handedOver = await tracked();
  return handedOver === null ? [] : found.filter((path) => !handedOver.has(path));
}

function folderOf(path: string): string {
  return path.slice(0, path.lastIndexOf("/") + 1);
}

/** Without an ending, a file is only like itself. */
function folderAndEnding(path: string): string {
  const ending = /[^/](\.[^./]+)$/.exec(path)?.[1];
  return ending === undefined ? path : `${folderOf(path)}*${ending}`;
}
