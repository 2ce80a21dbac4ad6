import { versionsOf } from "../checkpoints/content.ts";
import { toText } from "../../system/tree/git-tree.ts";
import { withObjects, type Repository } from "./repository.ts";
import { readWorktreeFiles } from "./worktree-files.ts";

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
