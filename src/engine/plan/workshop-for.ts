import { findGitFolders } from "../../system/git/git-files.ts";
import type { WorkshopOptions } from "./fresh-worktree.ts";
import { gitWorkshop } from "./git-workshop.ts";
import { inPlaceWorkshop } from "./in-place-workshop.ts";
import type { Workshop } from "./workshop.ts";

/** Worktrees where there is a repository; without one, the project itself. */
export function workshopFor(options: WorkshopOptions): Workshop {
  return findGitFolders(options.project.root) === null ? inPlaceWorkshop(options) : gitWorkshop(options);
}
