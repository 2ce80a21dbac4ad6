import { needsCounsel } from "../../../core/stages/judging.ts";
import type { Counsel } from "../../../core/stages/stages.ts";
import type { LockedLoop } from "../../../storage/loops/locked-loop.ts";
import type { Machine } from "../../../storage/loops/machine.ts";
import { UserError } from "../../../core/user-error.ts";
import { giveCounsel } from "../stages/give-counsel.ts";
import type { WorkflowContext } from "../take-workflow.ts";
import { workflowOf } from "../take-workflow.ts";
import { briefFor, expectRecorded, takeAnswer } from "./session-answer.ts";

/** What somebody reads who says how the next attempt at a task goes about it differently. */
export async function counselBrief(machine: Machine, chosen: LockedLoop, task: string): Promise<string> {
  return briefFor(machine, chosen, async (context, signal) =>
    giveCounsel(context, task, failedAttempt(context, task), signal),
  );
}

/** Takes the advice; the next attempt is told. */
export async function recordCounsel(
  machine: Machine,
  chosen: LockedLoop,
  task: string,
  answer: string,
): Promise<Counsel> {
  let after = 0;
  await takeAnswer(machine, chosen, answer, async (context, signal) => {
    after = failedAttempt(context, task);
    await giveCounsel(context, task, after, signal);
  });
  const { stages } = await chosen.live.refresh();
  return expectRecorded(stages?.counsels.find((each) => each.task === task && each.after === after));
}

function failedAttempt({ live: { loop } }: WorkflowContext, task: string): number {
  const failed = needsCounsel(workflowOf(loop), loop.stages, task);
  if (failed === null || loop.stages?.policy.asks !== true)
    throw new UserError(`${task} needs no other approach now; see where it is with: loop task show ${task}`);
  return failed.number;
}
