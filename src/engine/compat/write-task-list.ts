import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { VerificationType } from "../../core/loop/criterion.ts";
import type { TaskStatus } from "../../core/loop/loop.ts";
import { isTaskWritten, withListLocked, withTaskLocked } from "./task-list-lock.ts";
import { isObject } from "../../core/plain-object.ts";

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
