import { mkdirSync, renameSync, rmSync, rmdirSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const LOCK_TRIES = 30;
const LOCK_WAIT_MS = 20;
/** As long as the client itself respects a lock that nobody renews. */
const LOCK_STALE_MS = 10_000;

/** With the whole list locked as Claude Code locks it. False: the work failed, or somebody else holds the lock. */
export async function withListLocked(folder: string, work: () => Promise<boolean>): Promise<boolean> {
  return underLock(join(folder, ".lock.lock"), work);
}

/** The same for one task, inside the lock of its list. */
export async function withTaskLocked(path: string, work: () => Promise<boolean>): Promise<boolean> {
  return underLock(`${path}.lock`, work);
}

/** Whole or not at all, and in the client's own layout. Returns whether it could be written. */
export function isTaskWritten(path: string, task: object): boolean {
  const draft = `${path}.${process.pid}.tmp`;
  try {
    writeFileSync(draft, JSON.stringify(task, null, 2), { flag: "wx" });
    renameSync(draft, path);
    return true;
  } catch {
    rmSync(draft, { force: true });
    return false;
  }
}

async function underLock(lock: string, work: () => Promise<boolean>): Promise<boolean> {
  if (!(await takeLock(lock))) return false;
  try {
    return await work();
  } finally {
    removeLock(lock);
  }
}

/** The lock is a folder: whoever creates it has it. */
async function takeLock(lock: string): Promise<boolean> {
  for (let attempt = 0; attempt < LOCK_TRIES; attempt += 1) {
    try {
      mkdirSync(lock);
      return true;
    } catch {
      if (isAbandoned(lock)) removeLock(lock);
      else await new Promise((resolve) => setTimeout(resolve, LOCK_WAIT_MS));
    }
  }
  return false;
}

function isAbandoned(lock: string): boolean {
  try {
    return Date.now() - statSync(lock).mtimeMs > LOCK_STALE_MS;
  } catch {
    return false;
  }
}

function removeLock(lock: string): void {
  try {
    rmdirSync(lock);
  } catch {
    // somebody else was first
  }
}
