import type { Plan, PlannedTask } from "../../core/plan/plan.ts";

/** Whether two tasks say that they touch the same files: the same glob, or one inside the folder of the other. */
export function overlapIn({ tasks }: Plan): (one: string, other: string) => boolean {
  const files = new Map(tasks.map((task) => [task.id, task.files.map(fixedPart)]));
  return (one, other) => {
    const theirs = files.get(other) ?? [];
    return (files.get(one) ?? []).some((path) => theirs.some((each) => touches(path, each)));
  };
}

/** Whether a task may mean this path, as far as the fixed part of its globs says. */
export function mayTouch({ files }: Pick<PlannedTask, "files">, path: string): boolean {
  return files.some((glob) => isWithin(path, fixedPart(glob.replace(/^\.\//, ""))));
}

/** Whether a task speaks of this path: among its files, other than by a wildcard for everything, or in its own words. */
export function names(task: Pick<PlannedTask, "files" | "subject" | "description">, path: string): boolean {
  const files = task.files.filter((glob) => fixedPart(glob) !== "");
  return mayTouch({ files }, path) || `${task.subject}\n${task.description}`.includes(path);
}

/** The path before the first wildcard. */
function fixedPart(glob: string): string {
  return glob.replace(/[^/]*[*?[{].*$/, "");
}

function touches(one: string, other: string): boolean {
  return isWithin(one, other) || isWithin(other, one);
}

function isWithin(path: string, folder: string): boolean {
  return path === folder || folder === "" || path.startsWith(folder.endsWith("/") ? folder : `${folder}/`);
}
