import { findGitFolders } from "../../git/git-folders.ts";
import type { LockedLoop } from "../../loops/locked-loop.ts";
import type { Machine } from "../../loops/machine.ts";
import { endAttempts } from "../../workflow/end-attempts.ts";
import { gitWorkshop } from "../../workflow/git-workshop.ts";
import { workflowOf } from "../../workflow/take-workflow.ts";

/** A plan that was cancelled while nobody worked on it: its attempts end with it, and their worktrees go once their files are kept. */
export async function clearCancelledPlan(machine: Machine, { id, live }: LockedLoop): Promise<void> {
  const { project } = live;
  await endAttempts(machine, live);
  if (findGitFolders(project.root) === null) return;
  await gitWorkshop({ machine, project, loop: id, folder: "", setup: null, copies: [] }).tidy(
    workflowOf(live.loop),
    {
      isOver: true,
    },
  );
}
