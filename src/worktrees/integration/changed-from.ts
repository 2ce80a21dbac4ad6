import { versionsOf } from "../checkpoints/content.ts";
import { toText } from "../../system/tree/git-tree.ts";
import { withWorktree, type Repository } from "./repository.ts";
import { readWorktreeFiles } from "./worktree-files.ts";

/**
 * The files of a commit that a worktree has otherwise, or not at all. What it has besides them doesn't count, nor do submodules, which
 * no worktree of ours brings along. Null when git doesn't say.
 */
export async function changedFrom(
  repository: Repository,
  worktree: string,
  commit: string,
): Promise<readonly string[] | null> {
  try {
    return await withWorktree(repository, worktree, async (store) => {
      const { listed, base } = await readWorktreeFiles(store, commit);
      const now = versionsOf(listed);
      const isOurs = (path: string): boolean => store.git.stores.includes(path);
      return [...base]
        .filter(([path, version]) => !version.startsWith("160000 ") && !isOurs(path))
        .filter(([path, version]) => now.get(path) !== version && now.get(path)?.includes(" large:") !== true)
        .map(([path]) => toText(path));
    });
  } catch {
    return null;
  }
}
