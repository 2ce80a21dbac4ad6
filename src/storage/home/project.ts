import { existsSync, mkdirSync, realpathSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { LoopId } from "../../core/loop/id.ts";
import { errnoOf, UnusablePath } from "../../system/files/path-errors.ts";
import { keepPrivate, linkBelow } from "./own-folders.ts";

/** The paths of one project's `.loop/`. */
export interface Project {
  /** The root of the worktree, links resolved. */
  readonly root: string;
  readonly folder: string;
}

/** The nearest parent folder that has a `.loop` or is a worktree. Needs no git command. */
export function findProject(from: string): Project {
  const start = realpathSync(from);
  for (let folder = start; ; folder = dirname(folder)) {
    if (existsSync(join(folder, ".loop")) || existsSync(join(folder, ".git"))) return projectAt(folder);
    if (dirname(folder) === folder) return projectAt(start);
  }
}

export function projectAt(root: string): Project {
  return { root, folder: join(root, ".loop") };
}

/** Creates `.loop/`, which ignores itself, so the user's own ignore file isn't touched. */
export function createProjectFolder(project: Project): void {
  const link = linkBelow(project, null);
  if (link !== null) throw new UnusablePath(link);
  mkdirSync(project.folder, { recursive: true });
  mkdirSync(join(project.folder, "loops"), { recursive: true, mode: 0o700 });
  keepPrivate(join(project.folder, "loops"));
  try {
    writeFileSync(join(project.folder, ".gitignore"), "*\n", { flag: "wx" });
  } catch (error) {
    if (errnoOf(error) !== "EEXIST") throw error;
  }
}

export function loopFolder(project: Project, id: LoopId): string {
  return join(project.folder, "loops", id);
}

/** Created before the journal begins: turns, evidence and notes are kept there, wherever the journal is. */
export function createLoopFolder(project: Project, id: LoopId): void {
  mkdirSync(loopFolder(project, id), { recursive: true, mode: 0o700 });
}
