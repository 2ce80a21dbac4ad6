import { existsSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { findGitFolders, isObjectId } from "../../system/git/git-files.ts";
import { runGit } from "../../system/git/run-git.ts";

/** How long after git has packed objects others may have been pruned. */
const PRUNED_MS = 60_000;

/**
 * Whether a commit that a ref leads to by now lacks something: somebody ran `git gc --prune=now` while its objects were written, or before
 * the ref was set. Whoever wrote them can write them again. `beyond`: a commit whose files are known to be there.
 */
export async function wasPruned(options: {
  readonly root: string;
  readonly commit: string;
  readonly beyond: string | null;
}): Promise<boolean> {
  const { root, commit, beyond } = options;
  if (!mayBePruned(root)) return false;
  const known = beyond !== null && isObjectId(beyond) ? [`^${beyond}`] : [];
  return !(await runGit({ root, args: ["rev-list", "--objects", "--quiet", commit, ...known] })).ok;
}

/** Git has just packed objects, or does so now: only then it prunes others. */
function mayBePruned(root: string): boolean {
  const folders = findGitFolders(root);
  if (folders === null || existsSync(join(folders.commonFolder, "gc.pid"))) return true;
  const packs = join(folders.commonFolder, "objects", "pack");
  const changed = statSync(packs, { throwIfNoEntry: false })?.mtimeMs ?? -Infinity;
  // A folder that is as young as its repository holds nothing yet.
  return Date.now() - changed < PRUNED_MS && readdirSync(packs).length > 0;
}
