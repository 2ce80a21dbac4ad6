import { readFile, stat } from "node:fs/promises";
import { join, resolve } from "node:path";

export interface GitFolders {
  /** Of this worktree: holds its index. */
  readonly gitFolder: string;
  /** Shared by all worktrees of the repository: holds objects and info/exclude. */
  readonly commonFolder: string;
}

/** Finds a worktree's git folders without running git; null when the folder's `.git` leads nowhere. */
export async function findGitFolders(root: string): Promise<GitFolders | null> {
  const link = join(root, ".git");
  const gitFolder = (await isFolder(link)) ? link : await followGitFile(link, root);
  if (gitFolder === null || !(await isFolder(gitFolder))) return null;
  const common = await readLine(join(gitFolder, "commondir"));
  return { gitFolder, commonFolder: common === null ? gitFolder : resolve(gitFolder, common) };
}

export async function isFolder(path: string): Promise<boolean> {
  return stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  );
}

async function followGitFile(file: string, root: string): Promise<string | null> {
  const target = /^gitdir: (.+)$/.exec((await readLine(file)) ?? "")?.[1];
  return target === undefined ? null : resolve(root, target);
}

async function readLine(file: string): Promise<string | null> {
  return readFile(file, "utf8").then(
    (text) => text.replace(/\r?\n$/, ""),
    () => null,
  );
}
