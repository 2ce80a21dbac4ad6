import { existsSync } from "node:fs";
import { join } from "node:path";
import { findGitFolders, isFolder } from "../git/git-folders.ts";
import { UserError } from "../loops/user-error.ts";
import type { WorkshopOptions } from "./fresh-worktree.ts";
import { gitWorkshop } from "./git-workshop.ts";
import { inPlaceWorkshop } from "./in-place-workshop.ts";
import type { Workshop } from "./workshop.ts";

/** A folder that is a repository's own has no files to work on, and what tasks write there would be in git's way. */
export function expectNoBareRepository(folder: string): void {
  const isBare =
    existsSync(join(folder, "HEAD")) && ["objects", "refs"].every((name) => isFolder(join(folder, name)));
  if (isBare)
    throw new UserError(
      "This is a bare git repository, which has no files to work on; run it in a checkout of it.",
    );
}

/** Worktrees where there is a repository; without one, the project itself. */
export function workshopFor(options: WorkshopOptions): Workshop {
  return findGitFolders(options.project.root) === null ? inPlaceWorkshop() : gitWorkshop(options);
}
