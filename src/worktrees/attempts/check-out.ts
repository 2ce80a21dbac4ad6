import { runGit } from "../../system/git/run-git.ts";
import type { AddedWorktree } from "./add-worktree.ts";
import { addWorktree, fillIndex, whyUnwritten } from "./add-worktree.ts";
import { worktreePath, type WorktreeName } from "./marker.ts";

/** Gives a worktree that nobody works in the files of a commit, and none besides but ignored ones. `isFresh`: none at all. */
export async function checkOut(
  which: WorktreeName & { readonly commit: string },
  { isFresh = false } = {},
): Promise<AddedWorktree> {
  const added = await addWorktree(which);
  if (added.type !== "there" || added.isNew) return added;
  const path = worktreePath(which);
  try {
    await fillIndex(which, which.commit, { writesFiles: true });
  } catch (error) {
    return { type: "failed", why: whyUnwritten(path, error) };
  }
  const cleaned = await runGit({ root: path, args: ["clean", isFresh ? "-ffdxq" : "-fdq"] });
  return cleaned.ok ? { type: "there", path, isNew: false } : { type: "failed", why: cleaned.message };
}
