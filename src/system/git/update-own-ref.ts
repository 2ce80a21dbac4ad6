import { rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { findGitFolders } from "./git-folders.ts";
import { runGit } from "./run-git.ts";
import type { GitOutcome } from "./spawn-git.ts";

/** Far longer than any git needs to change one ref. */
const LOCK_LIFE_MS = 5_000;
const LOOK_MS = 100;
const MOST_LOOKS = (3 * LOCK_LIFE_MS) / LOOK_MS;

/**
 * Changes a ref that only Loopwright writes. A git that is killed in the middle leaves the ref's lock behind, and no later git
 * gets past it: such a lock is removed once it is older than any git at work would be.
 */
export async function updateOwnRef(options: {
  readonly root: string;
  readonly ref: string;
  /** `update-ref` and its arguments, with the settings before it. */
  readonly args: readonly string[];
}): Promise<GitOutcome> {
  const { root, ref, args } = options;
  for (let looks = 0; ; looks += 1) {
    const outcome = await runGit({ root, args });
    if (outcome.ok || looks === MOST_LOOKS || !isLocked(outcome.message, ref)) return outcome;
    if (!removeDeadLock(root, ref)) await sleep(LOOK_MS);
  }
}

function isLocked(message: string, ref: string): boolean {
  return message.includes(`${ref}.lock': File exists`);
}

function removeDeadLock(root: string, ref: string): boolean {
  const folders = findGitFolders(root);
  if (folders === null) return false;
  const lock = join(folders.commonFolder, `${ref}.lock`);
  const found = statSync(lock, { throwIfNoEntry: false });
  if (found === undefined || Date.now() - found.mtimeMs < LOCK_LIFE_MS) return false;
  rmSync(lock, { force: true });
  return true;
}
