import { realpathSync } from "node:fs";
import { isAbsolute, join, relative } from "node:path";
import type { Project } from "./project.ts";

/** Where a loop's work happens. Its records may be elsewhere: a project has one `.loop/` but may have many worktrees. */
export interface Workplace {
  /** The top folder of the worktree: what digests and checkpoints cover. */
  readonly root: string;
  /** Where the agent and the checks work: the root, or a folder below it. */
  readonly folder: string;
}

/** `worktree` is set if the work happens in a worktree other than the project's; `folder` is relative to the worktree. */
export function workplaceOf(project: Project, worktree: string | null, folder: string): Workplace {
  const root = worktree ?? project.root;
  return { root, folder: join(root, folder) };
}

/** A link in a project may lead anywhere, and nothing may run in a git folder. If a folder is gone, its commands will report it. */
export function isBelowRoot({ root, folder }: Workplace): boolean {
  if (folder === root) return true;
  try {
    const inside = relative(realpathSync(root), realpathSync(folder));
    return !/^(\.\.|\.git)(\/|\\|$)/.test(inside) && !isAbsolute(inside);
  } catch {
    return true;
  }
}
