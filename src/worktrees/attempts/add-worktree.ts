import { existsSync, mkdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { configuredHooksOff } from "../../system/git/settings.ts";
import { findGitFolders, isObjectId } from "../../system/git/git-files.ts";
import { runGit, firstLine } from "../../system/git/run-git.ts";
import { refCommit } from "../checkpoints/refs.ts";
import { withWorktree } from "../integration/repository.ts";
import { isFull, removeScratch } from "../../system/room/scratch.ts";
import {
  adminFolder,
  dropLocks,
  isLinked,
  mendLink,
  linkOnTheWay,
  readMarker,
  worktreePath,
  writeMarker,
  type WorktreeName,
} from "./marker.ts";

export type AddedWorktree =
  /** `isNew`: its files are those of the commit. Otherwise an earlier process made it, and may have worked in it. */
  | { readonly type: "there"; readonly path: string; readonly isNew: boolean }
  /** No repository, or a bare one. */
  | { readonly type: "no-repository" }
  /** The repository has no such commit; an unborn branch has none at all. */
  | { readonly type: "no-commit" }
  /** Something is at its place that we have not made. */
  | { readonly type: "in-the-way"; readonly path: string }
  | { readonly type: "failed"; readonly why: string };

const TIME_LIMIT_MS = 5 * 60_000;

/**
 * Makes a detached worktree, or resumes the one that is there. Files are written as the repository has them: neither a hook nor
 * a filter is run, so that what the work changes can be told from them byte by byte.
 */
export async function addWorktree(which: WorktreeName & { readonly commit: string }): Promise<AddedWorktree> {
  const { root, commit } = which;
  const path = worktreePath(which);
  if (findGitFolders(root) === null) return { type: "no-repository" };
  if (!isObjectId(commit) || (await refCommit(root, commit)) === null) return { type: "no-commit" };
  const odd = linkOnTheWay(which);
  if (odd !== null) return { type: "in-the-way", path: odd };
  const marker = readMarker(which);
  if (marker === null && existsSync(path)) return { type: "in-the-way", path };
  try {
    if (marker?.stage === "ready" && existsSync(path)) return await resume(which, marker.commit);
    await removeScratch(path);
    return await make(which);
  } catch (error) {
    return { type: "failed", why: whyUnwritten(path, error) };
  }
}

/** Git names the file that it couldn't write, and not why. */
function whyUnwritten(path: string, error: unknown): string {
  const folder = dirname(path);
  return existsSync(folder) && isFull(folder)
    ? `there is no space left on the disk of ${folder}`
    : firstLine(error);
}

const TRIES = 4;
const RETRY_AFTER_MS = 500;

/** A git of a run that was killed may still be at work in the repository for a moment. */
export async function addPatiently(which: Parameters<typeof addWorktree>[0]): Promise<AddedWorktree> {
  for (let tries = 1; ; tries += 1) {
    const added = await addWorktree(which);
    if (added.type !== "failed" || tries === TRIES) return added;
    await sleep(RETRY_AFTER_MS);
  }
}

async function resume(which: WorktreeName, commit: string): Promise<AddedWorktree> {
  const { root } = which;
  const path = worktreePath(which);
  if (!isLinked(root, path)) {
    if (!(await mendLink(root, path, commit)))
      return { type: "failed", why: `${join(path, ".git")} does not lead to the repository any more` };
    await fillIndex(which, commit, { writesFiles: false });
  }
  dropLocks(root, path);
  return { type: "there", path, isNew: false };
}

/** Forced twice: one that was killed while it made this very worktree has left it locked. */
const ADD = ["worktree", "add", "--force", "--force", "--no-checkout", "--detach"];

async function make(which: WorktreeName & { readonly commit: string }): Promise<AddedWorktree> {
  const { root, commit } = which;
  const path = worktreePath(which);
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  writeMarker(which, { commit, stage: "making" });
  const hooksOff = await configuredHooksOff(root);
  const args = [...hooksOff, ...ADD, path, commit];
  const outcome = await runGit({ root, args, timeoutMs: TIME_LIMIT_MS });
  if (!outcome.ok) return { type: "failed", why: firstLine(outcome.message.replace(/^Preparing .*\n/, "")) };
  await fillIndex(which, commit, { writesFiles: true });
  writeMarker(which, { commit, stage: "ready" });
  return { type: "there", path, isNew: true };
}

/** Small files are written as fast as the disk answers, whatever the number of processors. */
const WRITERS = ["-c", "checkout.workers=4"];

async function fillIndex(
  which: WorktreeName,
  commit: string,
  { writesFiles }: { readonly writesFiles: boolean },
): Promise<void> {
  const path = worktreePath(which);
  const admin = adminFolder(which.root, path);
  if (admin === null) throw new Error(`git made no worktree at ${path}`);
  dropLocks(which.root, path);
  const index = join(admin, "index");
  // The index is for every git that looks at the worktree, also for old ones.
  const read = ["-c", "index.skipHash=false", ...WRITERS, "read-tree"];
  const args = writesFiles ? [...read, "--reset", "-u", commit] : [...read, commit];
  await withWorktree(which, path, (store) => store.run(args, { index }));
}

/** Gives a worktree that nobody works in the files of a commit, and none besides but ignored ones. `isFresh`: none at all. */
export async function checkOut(
  which: WorktreeName & { readonly commit: string },
  { isFresh = false } = {},
): Promise<AddedWorktree> {
  const added = await addWorktree(which);
  if (added.type !== "there" || added.isNew) return added;
  const path = worktreePath(which);
  try {
    await fillIndex(which, which.commit, { writesFiles: true });
  } catch (error) {
    return { type: "failed", why: whyUnwritten(path, error) };
  }
  const cleaned = await runGit({ root: path, args: ["clean", isFresh ? "-ffdxq" : "-fdq"] });
  return cleaned.ok ? { type: "there", path, isNew: false } : { type: "failed", why: cleaned.message };
}
