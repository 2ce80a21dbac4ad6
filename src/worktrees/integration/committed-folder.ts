import { runGit } from "../../system/git/run-git.ts";
import { isObjectId } from "./repository.ts";

/** Whether a worktree at this commit has the folder. */
export async function hasFolder(root: string, commit: string, folder: string): Promise<boolean> {
  if (folder === "") return true;
  if (!isObjectId(commit)) return false;
  const outcome = await runGit({ root, args: ["cat-file", "-t", `${commit}:${folder}`] });
  return outcome.ok && outcome.stdout.toString("latin1").trim() === "tree";
}
