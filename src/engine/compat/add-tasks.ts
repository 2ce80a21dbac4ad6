import { readFileSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { readListedTasks } from "./task-list.ts";
import { isTaskWritten, withListLocked } from "./task-list-lock.ts";
import type { TaskMetadata } from "./write-task-list.ts";

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
    const listed = readListedTasks(folder) ?? [];
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
