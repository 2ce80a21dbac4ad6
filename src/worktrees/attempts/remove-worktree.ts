import { existsSync, rmdirSync } from "node:fs";
import { dirname } from "node:path";
import { versionsOf } from "../checkpoints/content.ts";
import type { CheckpointStore } from "../checkpoints/store.ts";
import { headCommit, runGit, firstLine } from "../../system/git/run-git.ts";
import { keepCommit } from "../checkpoints/refs.ts";
import { treesOfCommits, withWorktree } from "../integration/repository.ts";
import { filesOfTree, readWorktreeFiles, treeIdOf } from "../integration/worktree-files.ts";
import { removeScratch } from "../../system/room/scratch.ts";
import { dropPrivateGit } from "../../system/tree/private-git.ts";
import {
  isLinked,
  linkOnTheWay,
  readMarker,
  removeMarker,
  worktreePath,
  writeMarker,
  type Marker,
  type WorktreeName,
} from "./marker.ts";
import type { LoopId } from "../../core/loop/id.ts";
import { checkOut } from "./add-worktree.ts";
import { QUEUE_NAME } from "./list-worktrees.ts";
import { toText } from "../../system/tree/index-entries.ts";

export type RemovedWorktree =
  | { readonly type: "removed" }
  /** No marker says that it is ours, or a link leads elsewhere. Nothing was touched. */
  | { readonly type: "not-ours" }
  /** Its files are neither those of the commit that it began at nor those of the kept one; some that differ. Nothing was touched. */
  | { readonly type: "unkept"; readonly files: readonly string[] }
  | { readonly type: "failed"; readonly why: string };

const MOST_NAMED = 20;
const TIME_LIMIT_MS = 5 * 60_000;

/**
 * Removes a worktree of ours whose files are all kept: as the base has them, or as the kept commit has them. Ignored files go with it.
 * Commits that an agent made there, and that no ref leads to, get one.
 */
export async function removeWorktree(
  which: WorktreeName & { readonly kept: string | null },
): Promise<RemovedWorktree> {
  const marker = readMarker(which);
  if (marker === null || linkOnTheWay(which) !== null) return { type: "not-ours" };
  const path = worktreePath(which);
  try {
    if (existsSync(path) && marker.stage === "ready") {
      const unkept = await unkeptFiles(which, marker);
      if (unkept.length > 0) return { type: "unkept", files: unkept };
      await keepStrays(which, marker);
    }
    await drop(which, marker);
    return { type: "removed" };
  } catch (error) {
    return { type: "failed", why: firstLine(error) };
  }
}

/** Removes a worktree of ours in which nobody was to write anything, with whatever is in it. */
export async function throwAway(which: WorktreeName): Promise<RemovedWorktree> {
  const marker = readMarker(which);
  if (marker === null || linkOnTheWay(which) !== null) return { type: "not-ours" };
  try {
    await drop(which, marker);
    dropEmpty(dirname(worktreePath(which)));
    return { type: "removed" };
  } catch (error) {
    return { type: "failed", why: firstLine(error) };
  }
}

/** A folder of a loop that has no other worktree. */
function dropEmpty(folder: string): void {
  try {
    rmdirSync(folder);
  } catch {
    // Others are there, too.
  }
}

async function drop(which: WorktreeName, { commit }: Marker): Promise<void> {
  const path = worktreePath(which);
  // After a kill in the middle, what is left of it isn't compared again.
  writeMarker(which, { commit, stage: "removing" });
  if (existsSync(path)) dropPrivateGit(which.stateHome, path);
  // Git is the fastest at it, as long as the worktree's link is whole and it may enter all folders.
  await forget(which, path);
  if (existsSync(path)) {
    await removeScratch(path);
    await forget(which, path);
  }
  removeMarker(which);
}

async function forget({ root }: WorktreeName, path: string): Promise<void> {
  const args = ["worktree", "remove", "--force", "--force", path];
  await runGit({ root, args, timeoutMs: TIME_LIMIT_MS });
}

async function unkeptFiles(
  which: WorktreeName & { readonly kept: string | null },
  { commit }: Marker,
): Promise<readonly string[]> {
  return withWorktree(which, worktreePath(which), async (store) => {
    const commits = await knownAmong(store, [commit, ...(which.kept === null ? [] : [which.kept])]);
    const [base] = commits;
    const last = commits.at(-1);
    if (base === undefined || last === undefined) return ["."];
    const files = await readWorktreeFiles(store, base.commit);
    if (files.unkept.length > 0) return files.unkept.map(toText);
    const tree = treeIdOf(store, files);
    if (commits.some((each) => each.tree === tree)) return [];
    const kept = await filesOfTree(store, last.commit);
    const now = versionsOf(files.listed);
    const differ = [...new Set([...now.keys(), ...kept.keys()])].filter(
      (path) => now.get(path) !== kept.get(path),
    );
    return differ.slice(0, MOST_NAMED).map(toText);
  });
}

async function knownAmong(
  store: CheckpointStore,
  commits: readonly string[],
): Promise<readonly { readonly commit: string; readonly tree: string }[]> {
  const known = await Promise.all(
    commits.map(async (commit) => ({ commit, tree: (await treesOfCommits(store, [commit]))?.[0] })),
  );
  return known.flatMap(({ commit, tree }) => (tree === undefined ? [] : [{ commit, tree }]));
}

async function keepStrays(which: WorktreeName, { commit }: Marker): Promise<void> {
  const { root, loop, name } = which;
  const path = worktreePath(which);
  const head = isLinked(root, path) ? await headCommit(path) : null;
  if (head === null || head === commit) return;
  const found = await runGit({ root, args: ["for-each-ref", "--count=1", `--contains=${head}`] });
  if (found.ok && found.stdout.length > 0) return;
  const kept = await keepCommit({ root, ref: `refs/loopwright/${loop}/strays/${name}`, commit: head });
  if (kept.type !== "kept") throw new Error(`the commit ${head} of ${path} can't be kept`);
}

/** Removes the worktree of a merge queue. What checks left in it is thrown away first, as it is before every merge. */
export async function removeQueue(queue: {
  readonly stateHome: string;
  readonly root: string;
  readonly loop: LoopId;
  /** A commit that is kept, such as the branch's last one. */
  readonly tip: string;
}): Promise<RemovedWorktree> {
  const which = { ...queue, name: QUEUE_NAME };
  await checkOut({ ...which, commit: queue.tip });
  return removeWorktree({ ...which, kept: queue.tip });
}
