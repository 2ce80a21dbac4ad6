import { existsSync } from "node:fs";
import { UserError } from "../../core/user-error.ts";
import type { KnownLoop } from "../../storage/loops/known-loop.ts";
import type { Machine } from "../../storage/loops/machine.ts";
import { addPatiently } from "../../worktrees/attempts/add-worktree.ts";
import { restoreCheckpoint } from "../../worktrees/checkpoints/restore.ts";
import { checkpointsOf, latestOf } from "../lifecycle/undo.ts";
import { ownWorktreeOf } from "../opening/wanted-commit.ts";
import { setUp, whyNotAdded } from "../plan/fresh-worktree.ts";
import { lastPlan } from "./agent-choice.ts";

/** Where nobody remembers how it was made ready: what the lock files ask for. */
const USUAL = { setup: null, copies: [], diskBytes: 0 };

/** Makes a loop's own worktree again that somebody deleted, with the files from before its last iteration. */
export async function remakeWorktree(
  machine: Machine,
  known: KnownLoop,
  tell: (sentence: string) => void,
): Promise<void> {
  const { id, live, workingDirectory } = known;
  const { project, loop } = live;
  const { root: path } = workingDirectory;
  if (loop.commit?.branch == null || existsSync(path)) return;
  const which = ownWorktreeOf({ stateHome: machine.home, root: project.root, loop: id });
  const added = await addPatiently({ ...which, commit: loop.commit.from });
  if (added.type !== "there")
    throw new UserError(`The loop's worktree is gone, and can't be made again: ${whyNotAdded(added)}`);
  const how = lastPlan(machine.home, project.root, id) ?? USUAL;
  const options = { machine, project, loop: id, folder: loop.folder, how };
  const why = await setUp(options, path, {}, new AbortController().signal, tell);
  if (why !== null) throw new UserError(`The loop's worktree is gone, and can't be made ready again: ${why}`);
  const undoable = { id, root: project.root, known };
  const last = await latestOf(undoable, await checkpointsOf(undoable));
  if (last !== undefined)
    await restoreCheckpoint({ root: path, stateHome: machine.home, commit: last.commit });
  const files = last === undefined ? "the commit it began at" : `before iteration ${last.name}`;
  tell(`Its worktree was gone, and is made again with the files from ${files}: ${path}`);
}
