import { lstatSync, rmSync, type Stats } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { findGitFolders } from "./git-files.ts";
import { runGit, type GitOutcome } from "./run-git.ts";

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
  const isDead = watchLock();
  for (let looks = 0; ; looks += 1) {
    const outcome = await runGit({ root, args });
    if (outcome.ok || looks === MOST_LOOKS || !isLocked(outcome.message, ref)) return outcome;
    const lock = lockOf(root, ref);
    // No git makes a folder, so nothing that waits would see it go.
    if (lock?.found.isDirectory() === true) return outcome;
    if (lock !== null && isDead(lock.found)) rmSync(lock.path, { force: true });
    else await sleep(LOOK_MS);
  }
}

/** By its own date, or, where that says nothing, since it stays the same for as long while we wait. */
export function watchLock(): (found: Pick<Stats, "ino" | "mtimeMs">) => boolean {
  let seen: { readonly which: string; readonly at: number } | null = null;
  return ({ ino, mtimeMs }) => {
    const which = `${ino} ${mtimeMs}`;
    const now = performance.now();
    if (seen?.which !== which) seen = { which, at: now };
    const age = Math.max(Date.now() - mtimeMs, now - seen.at);
    return age >= LOCK_LIFE_MS;
  };
}

function isLocked(message: string, ref: string): boolean {
  return message.includes(`${ref}.lock': File exists`);
}

function lockOf(root: string, ref: string): { readonly path: string; readonly found: Stats } | null {
  const folders = findGitFolders(root);
  if (folders === null) return null;
  const path = join(folders.commonFolder, `${ref}.lock`);
  const found = lstatSync(path, { throwIfNoEntry: false });
  return found === undefined ? null : { path, found };
}
