import { UserError } from "../../core/user-error.ts";
import { gitVersion } from "../../system/git/run-git.ts";
import { oneLine } from "../../system/text/plain-text.ts";
import { repositoryId } from "../../worktrees/integration/packs.ts";

/** Which repository a clone is of, for drivers and workers alike. */
export async function repositoryOf(root: string): Promise<string> {
  const id = await repositoryId(root);
  if (id !== null) return id;
  if ((await gitVersion()) === null)
    throw new UserError("git is not installed here, or not on PATH; a fleet's code travels by it.");
  throw new UserError(
    `${oneLine(root, 200)} is no clone with a whole history, so nobody can tell which repository it is of; for a shallow one: git fetch --unshallow`,
  );
}
