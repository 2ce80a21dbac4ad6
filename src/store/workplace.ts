import { realpathSync } from "node:fs";
import { isAbsolute, join, relative } from "node:path";
import type { Project } from "./project.ts";

/** Where a loop's work happens. Its records may be somewhere else: a project has one `.loop/`, and may have many worktrees. */
export interface Workplace {
  /** The top folder of the worktree: what digests and checkpoints cover. */
  readonly root: string;
  /** Where the agent and the checks work: the root, or a folder below it. */
  readonly folder: string;
}

/** `worktree` is another one than the project's own, if the work happens there; `folder` is relative to the worktree. */
export function workplaceOf(project: Project, worktree: string | null, folder: string): Workplace {
  const root = worktree ?? project.root;
  return { root, folder: join(root, folder) };
}

/** A link in a project may lead anywhere, and in a git folder nothing is to be run. A folder that is gone is for its commands to miss. */
export function isBelowRoot({ root, folder }: Workplace): boolean {
  if (folder === root) return true;
  try {
    const inside = relative(realpathSync(root), realpathSync(folder));
    return !/^(\.\.|\.git)(\/|\\|$)/.test(inside) && !isAbsolute(inside);
  } catch {
    return true;
  }
}
