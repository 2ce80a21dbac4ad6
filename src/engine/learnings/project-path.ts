import { realpathSync } from "node:fs";
import { basename, dirname } from "node:path";
import { findGitFolders } from "../../system/git/git-files.ts";

/** What stands for a project: its repository, so that all worktrees of it learn together. Without git, its root. */
export function projectPath(root: string): string {
  const common = findGitFolders(root)?.commonFolder;
  if (common === undefined) return root;
  try {
    const path = realpathSync(common);
    return basename(path) === ".git" ? dirname(path) : path;
  } catch {
    return root;
  }
}
