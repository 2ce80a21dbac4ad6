import {
  readFileSync,
  mkdirSync,
  renameSync,
  rmSync,
  rmdirSync,
  statSync,
  writeFileSync,
  readdirSync,
} from "node:fs";
import { join } from "node:path";
import type { VerificationType } from "../../core/loop/criterion.ts";
import type { TaskStatus } from "../../core/loop/loop.ts";
import { isObject } from "../../core/plain-object.ts";
import { readEveryTask } from "./task-list.ts";

/** How a task is verified, and where it is in the graph. */
interface TaskFacts {
  readonly wave: number;
  readonly verification: VerificationType;
}

/** What is known of a task that no check decides. */
export const AGENTS_WORD: VerificationType = "reasoned inference";

/** What a loop says about a task in the task's metadata. */
export interface TaskMetadata extends Partial<TaskFacts> {
  readonly loopId: string;
  readonly stuckCount: number;
  /** Its id in the loop's plan, which its number in the list needn't tell. */
  readonly task?: string;
  /** More, of a task that stands for a whole loop. */
  readonly [more: string]: unknown;
}

/** What a loop notes on a task in the host's list. */
export interface TaskNote {
  readonly metadata: TaskMetadata;
  /** Added to the metadata where the task doesn't say it itself. */
  readonly unlessSaid?: Partial<TaskFacts>;
  /** null: as it is. A completed task stays completed, whoever said so. */
  readonly status: TaskStatus | null;
  /** Only if it is still this task: it has this subject, or an earlier note of the same loop. */
  readonly subject?: string;
  /** By number, in addition to those that it has. */
  readonly blocks?: readonly string[];
  readonly blockedBy?: readonly string[];
}

/**
 * Writes notes to tasks, under the same locks as Claude Code: the list's, and each task's own. Everything else in a task stays
 * unchanged, a deleted task is not restored, and no number is used up. Returns whether all could be written.
 */
export async function writeTaskNotes(folder: string, notes: ReadonlyMap<string, TaskNote>): Promise<boolean> {
  return withListLocked(folder, async () => {
    let isAllWritten = true;
    for (const [id, note] of notes) {
      const path = join(folder, `${id}.json`);
      if (notedTask(path, note) === null) continue;
      const isWritten = await withTaskLocked(path, async () => {
        const noted = notedTask(path, note);
        return noted === null || isTaskWritten(path, noted);
      });
      isAllWritten &&= isWritten;
    }
    return isAllWritten;
  });
}

/** The task with its note; null: there is nothing to write. */
function notedTask(path: string, note: TaskNote): object | null {
  const { metadata, unlessSaid, status, subject } = note;
  let task: { [key: string]: unknown };
  try {
    task = JSON.parse(readFileSync(path, "utf8")) as { [key: string]: unknown };
  } catch {
    return null;
  }
  const known = task["metadata"];
  const before: { readonly [key: string]: unknown } = isObject(known) ? known : {};
  if (subject !== undefined && before["loopId"] !== metadata.loopId && task["subject"] !== subject)
    return null;
  const marked = status === null || task["status"] === "completed" ? {} : { status };
  const noted = {
    ...task,
    ...marked,
    ...withMore(task, "blocks", note.blocks),
    ...withMore(task, "blockedBy", note.blockedBy),
    metadata: { ...unlessSaid, ...before, ...metadata },
  };
  return JSON.stringify(noted) === JSON.stringify(task) ? null : noted;
}

function withMore(
  task: { readonly [key: string]: unknown },
  key: "blocks" | "blockedBy",
  more: readonly string[] = [],
): object {
  const known: readonly unknown[] = Array.isArray(task[key]) ? task[key] : [];
  const added = more.filter((id) => !known.includes(id));
  return added.length === 0 ? {} : { [key]: [...known, ...added] };
}

const LOCK_TRIES = 30;
const LOCK_WAIT_MS = 20;
/** As long as the client itself respects a lock that nobody renews. */
const LOCK_STALE_MS = 10_000;

/** With the whole list locked as Claude Code locks it. False: the work failed, or somebody else holds the lock. */
async function withListLocked(folder: string, work: () => Promise<boolean>): Promise<boolean> {
  return underLock(join(folder, ".lock.lock"), work);
}

/** With one task locked, inside the lock of its list. */
async function withTaskLocked(path: string, work: () => Promise<boolean>): Promise<boolean> {
  return underLock(`${path}.lock`, work);
}

/** Whole or not at all, and in the client's own layout. Returns whether it could be written. */
function isTaskWritten(path: string, task: object): boolean {
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

/** A task that a loop puts into the host's list. */
export interface NewTask {
  readonly subject: string;
  readonly description: string;
  /** What the host shows while somebody works on it. */
  readonly activeForm: string;
  readonly metadata: TaskMetadata & { readonly task: string };
}

/**
 * Adds the tasks that the list doesn't have yet, with the next numbers, as Claude Code would. A task is known by its metadata,
 * so adding it again after a crash adds nothing. What blocks what is noted afterwards, once all have their numbers. Returns
 * whether all are there.
 */
export async function addTasks(folder: string, tasks: readonly NewTask[]): Promise<boolean> {
  return withListLocked(folder, async () => {
    keepAnchor(folder);
    const listed = readEveryTask(folder) ?? [];
    const isListed = ({ metadata }: NewTask): boolean =>
      listed.some(({ mirrors }) => mirrors?.loopId === metadata.loopId && mirrors.task === metadata.task);
    let last = lastNumber(folder);
    for (const task of tasks.filter((each) => !isListed(each))) {
      last += 1;
      const id = String(last);
      const { subject, description, activeForm, metadata } = task;
      const unblocked = { status: "pending", blocks: [], blockedBy: [], metadata };
      if (!isTaskWritten(join(folder, `${id}.json`), { id, subject, description, activeForm, ...unblocked }))
        return false;
    }
    return true;
  });
}

/** Claude Code locks this file, and leaves it. */
function keepAnchor(folder: string): void {
  try {
    writeFileSync(join(folder, ".lock"), "", { flag: "wx" });
  } catch {
    // It is there.
  }
}

/** A number that was ever used is not used again, also if nobody can read its task. */
function lastNumber(folder: string): number {
  const used = readdirSync(folder).map((name) => Number(/^(\d+)\.json$/.exec(name)?.[1] ?? 0));
  return [...used, highWaterMark(folder)].reduce((last, each) => Math.max(last, each), 0);
}

function highWaterMark(folder: string): number {
  try {
    const [, mark] = /^(\d{1,15})\s*$/.exec(readFileSync(join(folder, ".highwatermark"), "utf8")) ?? [];
    return Number(mark ?? 0);
  } catch {
    return 0;
  }
}
