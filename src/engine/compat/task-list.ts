import { readFileSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import type { Task } from "../../core/loop/loop.ts";
import { TASK_STATUSES } from "../../core/loop/loop.ts";
import type { ListedTask } from "../../core/plan-files/task-list-plan.ts";

/** A task on disk, with what only a plan needs of it. */
export interface FoundTask extends ListedTask {
  /** The task of a loop's plan that it mirrors, by its metadata. */
  readonly mirrors: { readonly loopId: string; readonly task: string } | null;
}

const SIZE_LIMIT = 1024 * 1024;

/** How Claude Code sanitizes a list's id before it becomes a folder. */
export function taskListName(listId: string): string {
  return listId.replace(/[^a-zA-Z0-9_-]/g, "-");
}

/** Where Claude Code keeps the tasks of a list. */
export function taskListFolder(env: NodeJS.ProcessEnv, listId: string): string | null {
  const home =
    env["CLAUDE_CONFIG_DIR"] ?? (env["HOME"] === undefined ? undefined : join(env["HOME"], ".claude"));
  const name = taskListName(listId);
  return home === undefined || name === "" ? null : join(home, "tasks", name);
}

/** The tasks on disk, by number; null if there is no list. Invalid files aren't tasks. */
export function readTaskList(folder: string): readonly Task[] | null {
  return readListedTasks(folder)?.map(({ task }) => task) ?? null;
}

export function readListedTasks(folder: string): readonly FoundTask[] | null {
  let names: string[];
  try {
    names = readdirSync(folder);
  } catch {
    return null;
  }
  return names
    .filter((name) => /^\d+\.json$/.test(name))
    .sort((a, b) => Number.parseInt(a, 10) - Number.parseInt(b, 10))
    .flatMap((name) => readTask(join(folder, name)) ?? []);
}

function readTask(path: string): FoundTask | null {
  try {
    if (statSync(path).size > SIZE_LIMIT) return null;
    const { id, subject, description, status, blockedBy, metadata } = JSON.parse(
      readFileSync(path, "utf8"),
    ) as {
      [key: string]: unknown;
    };
    const known = TASK_STATUSES.find((each) => each === status);
    if (typeof id !== "string" || typeof subject !== "string" || known === undefined) return null;
    const notes =
      typeof metadata === "object" && metadata !== null ? (metadata as { [key: string]: unknown }) : {};
    if (notes["_internal"] !== undefined) return null;
    const { wave, loopId, task: planned } = notes;
    const task: Task = {
      id,
      subject,
      status: known,
      blockedBy: Array.isArray(blockedBy)
        ? blockedBy.filter((each): each is string => typeof each === "string")
        : [],
      wave: typeof wave === "number" && Number.isSafeInteger(wave) && wave >= 0 ? wave : null,
      attempts: 0,
    };
    const isMirror = typeof loopId === "string" && typeof planned === "string";
    return {
      task,
      description: typeof description === "string" ? description : "",
      mirrors: isMirror ? { loopId, task: planned } : null,
    };
  } catch {
    return null;
  }
}
