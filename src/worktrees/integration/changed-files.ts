import { versionsOf } from "../checkpoints/content.ts";
import { withObjects, withWorktree, type Repository } from "./repository.ts";
import { readWorktreeFiles } from "./worktree-files.ts";
import { toText } from "../../system/tree/index-entries.ts";

/** The user's files that differ from a commit, staged or not; those that the commit has come first. Null when they can't be read. */
export async function uncommittedFiles(
  repository: Repository,
  commit: string,
): Promise<readonly string[] | null> {
  try {
    return await withObjects(repository, async (store) => {
      const { listed, base, unkept } = await readWorktreeFiles(store, commit);
      const now = versionsOf(listed);
      const paths = new Set([...now.keys(), ...base.keys()]);
      // A submodule's own files are its own affair.
      const differ = [...paths].filter(
        (path) => now.get(path) !== base.get(path) && base.get(path)?.startsWith("160000 ") !== true,
      );
      const all = [...new Set([...differ, ...unkept])];
      const inOrder = (isKnown: boolean): readonly string[] =>
        all
          .filter((path) => base.has(path) === isKnown)
          .map(toText)
          .toSorted();
      return [...inOrder(true), ...inOrder(false)];
    });
  } catch {
    return null;
  }
}

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
