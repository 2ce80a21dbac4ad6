import { mirrorOfPlan } from "../../../engine/plan/plan-mirror.ts";
import type { LockedLoop } from "../../../storage/loops/locked-loop.ts";
import type { Machine } from "../../../storage/loops/machine.ts";
import { endAttempts } from "../../../engine/plan/lost-records.ts";
import { workflowOf } from "../../../engine/plan/take-workflow.ts";
import { workshopFor } from "../../../engine/plan/workshop-for.ts";

/** Nothing is set up, and no attempt starts. */
const NOTHING_NEW = { setup: [], copies: [], diskBytes: 0 };

/** A plan that was cancelled while nobody worked on it: its attempts end with it, and their worktrees go once their files are kept. */
export async function clearCancelledPlan(machine: Machine, { id, live }: LockedLoop): Promise<void> {
  const { project } = live;
  await endAttempts(machine, live);
  const workshop = workshopFor({ machine, project, loop: id, folder: "", how: NOTHING_NEW });
  await workshop.tidy(workflowOf(live.loop), { isOver: true, isCancelled: true });
  await mirrorOfPlan(machine, project, id, () => undefined).catchUp(live.loop);
}
