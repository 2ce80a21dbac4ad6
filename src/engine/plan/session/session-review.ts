import { isReviewDue } from "../../../core/stages/judging.ts";
import type { Loop } from "../../../core/loop.ts";
import type { Review } from "../../../core/stages/stages.ts";
import type { LockedLoop } from "../../../storage/loops/locked-loop.ts";
import type { Machine } from "../../../storage/loops/machine.ts";
import { UserError } from "../../../core/user-error.ts";
import { reviewWave, reviewWork } from "../stages/review-work.ts";
import type { WorkflowContext } from "../take-workflow.ts";
import { workflowOf } from "../take-workflow.ts";
import { briefFor, expectRecorded, takeAnswer } from "./session-answer.ts";

/** What a reviewer in the session reads; `wave`: a light review of that one, null: the review of the whole. */
export async function reviewBrief(
  machine: Machine,
  chosen: LockedLoop,
  wave: number | null,
): Promise<string> {
  return briefFor(machine, chosen, async (context, signal) => review(context, wave, signal));
}

/** The commit that the brief of the whole is about, as its reviewer names it when they answer. */
export function reviewedCommit({ live: { loop } }: LockedLoop): string {
  return (loop.workflow?.branch?.tip ?? "").slice(0, 12);
}

/** Takes the reviewer's answer; `of`: the commit that their brief was about, null: they don't say. */
export async function recordReview(
  machine: Machine,
  chosen: LockedLoop,
  { wave, of }: { readonly wave: number | null; readonly of: string | null },
  answer: string,
): Promise<Review> {
  if (wave === null && of !== null && of !== reviewedCommit(chosen))
    throw new UserError("The work has changed since that brief; read the new one with: loop review brief");
  let round = 0;
  await takeAnswer(machine, chosen, answer, async (context, signal) => {
    round = (context.live.loop.stages?.reviews.length ?? 0) + 1;
    await review(context, wave, signal);
  });
  const { stages } = await chosen.live.refresh();
  return expectRecorded(
    wave === null
      ? stages?.reviews.find((each) => each.round === round)
      : stages?.waveReviews.find((each) => each.wave === wave),
  );
}

async function review(context: WorkflowContext, wave: number | null, signal: AbortSignal): Promise<void> {
  const { loop } = context.live;
  if (wave === null) return reviewWork(context, roundOf(loop), signal);
  expectUnreviewed(loop, wave);
  return reviewWave(context, wave, signal);
}

function roundOf(loop: Loop): number {
  const { stages } = loop;
  if (stages === null || !isReviewDue(workflowOf(loop), stages))
    throw new UserError("Nothing is to be reviewed now; stop, and read what is next.");
  return stages.reviews.length + 1;
}

function expectUnreviewed(loop: Loop, wave: number): void {
  const { wavesDone, branch } = workflowOf(loop);
  if (branch === null || loop.stages?.policy.asks !== true)
    throw new UserError(
      `There are no reviews ${branch === null ? "without git" : "in this loop: it asks nobody"}.`,
    );
  if (wave > wavesDone)
    throw new UserError(
      `Wave ${wave} isn't merged; ${wavesDone === 0 ? "none is" : `the last one that is: ${wavesDone}`}.`,
    );
  if (loop.stages.waveReviews.some((each) => each.wave === wave))
    throw new UserError(`Wave ${wave} was reviewed before.`);
}
