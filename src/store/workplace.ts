import { join } from "node:path";
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
