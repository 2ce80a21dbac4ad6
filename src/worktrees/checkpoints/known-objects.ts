import type { GitFolders } from "../../system/git/git-folders.ts";
import { refFromFiles } from "../../system/git/ref-files.ts";

interface Kept {
  readonly ref: string;
  readonly commit: string;
  readonly objects: ReadonlySet<string>;
}

/** The content of this process's last checkpoint, by the root of the worktree. */
const lastKept = new Map<string, Kept>();

/**
 * Files and folders that the repository certainly has: those of the last checkpoint, as long as its ref exists and keeps them
 * from being pruned. Null if there is none and git has to be asked.
 */
export function knownObjects(root: string, folders: GitFolders): ReadonlySet<string> | null {
  const last = lastKept.get(root);
  if (last === undefined) return null;
  return refFromFiles(folders, last.ref) === last.commit ? last.objects : null;
}

export function rememberObjects(root: string, kept: Kept): void {
  lastKept.set(root, kept);
}

export function forgetObjects(root: string): void {
  lastKept.delete(root);
}
