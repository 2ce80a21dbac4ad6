import { existsSync, realpathSync } from "node:fs";
import { dirname, join, relative, sep } from "node:path";
import type { Project } from "./project.ts";
import { findProject, projectAt } from "./project.ts";

/** Where somebody stands: in a project, in its root or in a folder below it. */
export interface Standpoint {
  readonly project: Project;
  /** Below the project's root, with slashes. Empty for the root. */
  readonly folder: string;
}

/** Where a loop is opened from a folder: in the git worktree around it. Without git that folder is the project, whatever is above it. */
export function openingStandpoint(from: string): Standpoint {
  const here = realpathSync(from);
  return standpointIn(isInWorktree(here) ? findProject(here) : projectAt(here), here);
}

/** Where a folder is, for whoever looks for what is there already. */
export function standpointAt(from: string): Standpoint {
  const here = realpathSync(from);
  return standpointIn(findProject(here), here);
}

function standpointIn(project: Project, here: string): Standpoint {
  return { project, folder: relative(project.root, here).split(sep).join("/") };
}

function isInWorktree(folder: string): boolean {
  if (existsSync(join(folder, ".git"))) return true;
  return dirname(folder) !== folder && isInWorktree(dirname(folder));
}
