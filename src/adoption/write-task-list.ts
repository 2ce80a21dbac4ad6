import {
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  rmdirSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import type { TaskStatus } from "../core/loop.ts";

/** What a loop notes on a task in the host's list. */
export interface TaskNote {
  readonly metadata: { readonly loopId: string; readonly stuckCount?: number };
  /** null: as it is. A completed task stays completed, whoever said so. */
  readonly status: TaskStatus | null;
  /** Only if it is still this task: it has this subject, or an earlier note of the same loop. */
  readonly subject?: string;
}

const LOCK_TRIES = 30;
const LOCK_WAIT_MS = 20;
/** As long as the client itself respects a lock that nobody renews. */
const LOCK_STALE_MS = 10_000;

/**
 * Writes notes to tasks, under the same locks as Claude Code: the list's, and each task's own. Everything else in a task stays
 * unchanged, a deleted task is not restored, and no number is used up. Returns whether all could be written.
 */
export async function writeTaskNotes(folder: string, notes: ReadonlyMap<string, TaskNote>): Promise<boolean> {
  return underLock(join(folder, ".lock.lock"), async () => {
    let isAllWritten = true;
    for (const [id, note] of notes) {
      const path = join(folder, `${id}.json`);
      if (notedTask(path, note) === null) continue;
      const isWritten = await underLock(`${path}.lock`, async () => {
        const noted = notedTask(path, note);
        return noted === null || isReplaced(path, JSON.stringify(noted, null, 2));
      });
      isAllWritten &&= isWritten;
    }
    return isAllWritten;
  });
}

/** A task for a list that has none yet. */
export interface NewTask {
  readonly id: string;
  readonly subject: string;
  readonly description: string;
  readonly blockedBy: readonly string[];
  readonly metadata: { readonly loopId: string };
}

/** Fills a list that nobody has used: without a task, and without a number that one had. Returns whether it could. */
export async function fillTaskList(folder: string, tasks: readonly NewTask[]): Promise<boolean> {
  return underLock(join(folder, ".lock.lock"), async () => {
    if (readdirSync(folder).some((name) => /^\d+\.json$|^\.highwatermark$/.test(name))) return true;
    return tasks.every(({ id, subject, description, blockedBy, metadata }) => {
      const blocks = tasks.filter((each) => each.blockedBy.includes(id)).map((each) => each.id);
      const task = { id, subject, description, status: "pending", blocks, blockedBy, metadata };
      return isReplaced(join(folder, `${id}.json`), JSON.stringify(task, null, 2));
    });
  });
}

/** The task with its note; null: there is nothing to write. */
function notedTask(path: string, { metadata, status, subject }: TaskNote): object | null {
  let task: { [key: string]: unknown };
  try {
    task = JSON.parse(readFileSync(path, "utf8")) as { [key: string]: unknown };
  } catch {
    return null;
  }
  const known = task["metadata"];
  const before: { readonly [key: string]: unknown } =
    typeof known === "object" && known !== null && !Array.isArray(known) ? { ...known } : {};
  if (subject !== undefined && before["loopId"] !== metadata.loopId && task["subject"] !== subject)
    return null;
  const marked = status === null || task["status"] === "completed" ? {} : { status };
  const noted = { ...task, ...marked, metadata: { ...before, ...metadata } };
  return JSON.stringify(noted) === JSON.stringify(task) ? null : noted;
}

function isReplaced(path: string, text: string): boolean {
  const draft = `${path}.${process.pid}.tmp`;
  try {
    writeFileSync(draft, text, { flag: "wx" });
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
