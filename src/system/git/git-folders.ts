import { statSync } from "node:fs";
import { join, resolve } from "node:path";
import { readOrEmpty } from "./read-or-empty.ts";

export interface GitFolders {
  /** This worktree's folder, with its index. */
  readonly gitFolder: string;
  /** Shared by all worktrees of the repository, with objects and info/exclude. */
  readonly commonFolder: string;
}

/** Finds a worktree's git folders without running git; null if its `.git` leads nowhere. */
export function findGitFolders(root: string): GitFolders | null {
  const link = join(root, ".git");
  const gitFolder = isFolder(link) ? link : followGitFile(link, root);
  if (gitFolder === null || !isFolder(gitFolder)) return null;
  const common = readLine(join(gitFolder, "commondir"));
  return { gitFolder, commonFolder: common === "" ? gitFolder : resolve(gitFolder, common) };
}

export function isFolder(path: string): boolean {
  try {
    return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
  } catch {
    return false;
  }
}

function followGitFile(file: string, root: string): string | null {
  const target = /^gitdir: (.+)$/.exec(readLine(file))?.[1];
  return target === undefined ? null : resolve(root, target);
}

function readLine(file: string): string {
  return readOrEmpty(file).replace(/\r?\n$/, "");
}
