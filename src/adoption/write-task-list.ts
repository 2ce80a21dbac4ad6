import { mkdirSync, readFileSync, renameSync, rmSync, rmdirSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** What a loop notes on a task in the host's list. */
export interface TaskNote {
  readonly metadata: { readonly loopId: string; readonly stuckCount: number };
  /** The agent said so elsewhere; its own changes in the list stay. */
  readonly isCompleted: boolean;
}

const LOCK_TRIES = 30;
const LOCK_WAIT_MS = 20;
/** As long as the client itself respects a lock that nobody renews. */
const LOCK_STALE_MS = 10_000;

/**
 * Writes notes to tasks, under the same lock as Claude Code. Everything else in a task stays unchanged, and a deleted task is not
 * restored. Returns whether the lock was free.
 */
export async function writeTaskNotes(folder: string, notes: ReadonlyMap<string, TaskNote>): Promise<boolean> {
  const lock = join(folder, ".lock.lock");
  if (!(await takeLock(lock))) return false;
  try {
    for (const [id, note] of notes) writeNote(join(folder, `${id}.json`), note);
    return true;
  } finally {
    rmdirSync(lock);
  }
}

function writeNote(path: string, { metadata, isCompleted }: TaskNote): void {
  let task: { [key: string]: unknown };
  try {
    task = JSON.parse(readFileSync(path, "utf8")) as { [key: string]: unknown };
  } catch {
    return;
  }
  const known = task["metadata"];
  const before = typeof known === "object" && known !== null && !Array.isArray(known) ? known : {};
  const status = isCompleted ? { status: "completed" } : {};
  const noted = { ...task, ...status, metadata: { ...before, ...metadata } };
  if (JSON.stringify(noted) === JSON.stringify(task)) return;
  const draft = `${path}.${process.pid}.tmp`;
  try {
    writeFileSync(draft, JSON.stringify(noted, null, 2), { flag: "wx" });
    renameSync(draft, path);
  } catch {
    rmSync(draft, { force: true });
  }
}

/** The lock is a folder: whoever creates it has it. */
async function takeLock(lock: string): Promise<boolean> {
  for (let attempt = 0; attempt < LOCK_TRIES; attempt += 1) {
    try {
      mkdirSync(lock);
      return true;
    } catch {
      if (isAbandoned(lock)) removeAbandoned(lock);
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

function removeAbandoned(lock: string): void {
  try {
    rmdirSync(lock);
  } catch {
    // somebody else was first
  }
}
