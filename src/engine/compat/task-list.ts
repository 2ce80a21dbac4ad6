import { readFileSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { TASK_STATUSES, type Task } from "../../core/loop/loop.ts";
import type { ListedTask } from "../../core/plan-files/task-list-plan.ts";
import * as v from "valibot";
import type { LoopId } from "../../core/loop/id.ts";
import { readJsonFile, writePrivateJson } from "../../system/files/json-file.ts";
import { approvalFolder } from "../../storage/home/approval-record.ts";

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

/** Without those that stand for a whole loop: they are no work of their own. */
export function readListedTasks(folder: string): readonly FoundTask[] | null {
  return readEveryTask(folder)?.filter(({ mirrors }) => mirrors?.task !== WHOLE_LOOP) ?? null;
}

/** In the metadata of a task that stands for a whole plain loop. */
export const WHOLE_LOOP = "loop";

export function readEveryTask(folder: string): readonly FoundTask[] | null {
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

const schema = v.object({
  /** It names a folder, and goes into an agent's environment. */
  list: v.pipe(v.string(), v.regex(/^[A-Za-z0-9_-]{1,255}$/)),
  isNew: v.optional(v.boolean(), false),
  added: v.optional(v.array(v.string()), []),
});

export interface MirroredList {
  readonly list: string;
  /** The loop makes it, once it has tasks. Otherwise it has to be there. */
  readonly isNew: boolean;
  /** The tasks of the plan that were added to it. One that is missing there was deleted by somebody, and stays deleted. */
  readonly added: readonly string[];
}

/** Which of its host's task lists a loop mirrors. Kept outside the project, because a repository must not choose one of the user's lists. */
export function rememberTaskList(
  home: string,
  root: string,
  id: LoopId,
  { list, isNew = false, added = [] }: Pick<MirroredList, "list"> & Partial<MirroredList>,
): void {
  if (JSON.stringify(rememberedTaskList(home, root, id)) !== JSON.stringify({ list, isNew, added }))
    writePrivateJson(listPath(home, root, id), { list, isNew, added });
}

export function rememberedTaskList(home: string, root: string, id: LoopId): MirroredList | null {
  return readJsonFile(listPath(home, root, id), schema);
}

function listPath(home: string, root: string, id: LoopId): string {
  return join(approvalFolder({ home, root, loop: id }), "task-list.json");
}
