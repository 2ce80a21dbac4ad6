import { lstatSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { LoopId } from "../../core/loop/id.ts";
import type { Project } from "../../storage/home/project.ts";
import { loopFolder } from "../../storage/home/project.ts";

/** Iteration and attempt, `3-1`; in a nested loop with its number in front, `1.3-1`. Of a question its name, `review-1`. */
const TURN_ID = /^(?:(?:\d+\.)?\d+|[A-Za-z][\w-]*)-\d+$/;

/** Where a loop keeps the prompts and outputs of its turns. */
export function runsFolder(project: Project, loop: LoopId): string {
  return join(loopFolder(project, loop), "runs");
}

/** The turns with a folder. Ignores symbolic links, since an agent can put one anywhere in its project. */
export function listTurns(project: Project, loop: LoopId): readonly string[] {
  const runs = runsFolder(project, loop);
  const above = [project.folder, join(project.folder, "loops"), loopFolder(project, loop), runs];
  if (!above.every(isRealFolder)) return [];
  return readdirSync(runs).filter((name) => TURN_ID.test(name) && isRealFolder(join(runs, name)));
}

/** A folder that cannot be deleted stays; nothing fails because of it. */
export function dropTurns(project: Project, loop: LoopId): void {
  for (const turn of listTurns(project, loop)) {
    try {
      rmSync(join(runsFolder(project, loop), turn), { recursive: true, force: true });
    } catch {
      // The next run tries again.
    }
  }
}

function isRealFolder(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}
