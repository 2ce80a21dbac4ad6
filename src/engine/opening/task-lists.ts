import { randomInt } from "node:crypto";
import { readdirSync, statSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { taskListId } from "../compat/stores.ts";
import { readTaskList, taskListFolder, taskListName, rememberTaskList } from "../compat/task-list.ts";
import type { LoopId } from "../../core/loop/id.ts";
import type { Binding } from "../../core/loop/loop.ts";
import type { Machine } from "../../storage/loops/machine.ts";
import { openingCallerLocation } from "../../storage/home/project.ts";

/** A name for a list of this project that nobody has yet. */
export function freshTaskList(machine: Machine): string {
  const project = taskListName(basename(openingCallerLocation(machine.cwd).project.root)).slice(0, 60);
  for (;;) {
    const name = `${project}-${randomInt(36 ** 3, 36 ** 4).toString(36)}`;
    if (!isTaskList(machine, name)) return name;
  }
}

/** The list that a session of Claude Code shows its user: the one that they named, else the session's own. It may have no tasks yet. */
export function listOfSession({ env }: Pick<Machine, "env">, binding: Binding | null): string | null {
  if (binding?.host !== "claude-code") return null;
  return taskListName(taskListId(env) ?? binding.session);
}

export function isTaskList({ env }: Pick<Machine, "env">, list: string): boolean {
  const folder = taskListFolder(env, list);
  return folder !== null && isFolder(folder);
}

/** Whether its tasks are a plan that somebody has begun. */
export function hasOpenTasks({ env }: Pick<Machine, "env">, list: string): boolean {
  const folder = taskListFolder(env, list);
  const tasks = folder === null ? null : readTaskList(folder);
  return tasks?.some(({ status }) => status !== "completed") === true;
}

/** The lists that Claude Code has, those that changed last first. */
export function taskLists({ env }: Pick<Machine, "env">, most: number): readonly string[] {
  const one = taskListFolder(env, "any");
  if (one === null) return [];
  const folder = dirname(one);
  let names: string[];
  try {
    names = readdirSync(folder);
  } catch {
    return [];
  }
  return names
    .filter((name) => taskListName(name) === name && isFolder(join(folder, name)))
    .map((name) => [name, statSync(join(folder, name), { throwIfNoEntry: false })?.mtimeMs ?? 0] as const)
    .toSorted((earlier, later) => later[1] - earlier[1])
    .slice(0, most)
    .map(([name]) => name);
}

/** Which list a loop's tasks are mirrored in, decided when it is opened: before its journal begins, so that a run that is killed finds it again. */
export function useTaskList(
  machine: Pick<Machine, "home" | "env">,
  root: string,
  id: LoopId,
  list: string,
): void {
  const isNew = !isTaskList(machine, list);
  rememberTaskList(machine.home, root, id, { list: taskListName(list), isNew });
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}
