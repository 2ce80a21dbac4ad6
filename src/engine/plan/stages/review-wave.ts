import { lightQuestion } from "../../../core/questions/review/review-question.ts";
import type { WorkflowContext } from "../take-workflow.ts";
import { recordOurs } from "../../run/take-loop.ts";
import { workflowOf } from "../take-workflow.ts";
import type { AskedReview } from "./ask-review.ts";
import { askReview } from "./ask-review.ts";
import { readWave } from "./read-work.ts";

const ROOM = 60_000;
const PERSPECTIVES = 3;

export function lightReview(wave: number, commit: string | null): AskedReview {
  return {
    perspectives: PERSPECTIVES,
    room: ROOM,
    commit,
    question: (work, perspectives, nonce) => lightQuestion(work, wave, perspectives, nonce),
  };
}

/** The light review of a wave, beside the next one. It informs, and never blocks. */
export async function reviewWave(context: WorkflowContext, wave: number, signal: AbortSignal): Promise<void> {
  const diff = await readWave(context, wave);
  const commit = workflowOf(context.live.loop).branch?.tip ?? null;
  const review = await askReview(context, diff, lightReview(wave, commit), signal);
  if (review === null) return;
  const loop = await recordOurs(
    context,
    [{ type: "wave.reviewed", wave, ...review }],
    ({ stages }) => stages?.waveReviews.some((each) => each.wave === wave) === false,
  );
  if (loop !== null) context.tell({ type: "wave-reviewed", loop, review: { ...review, wave } });
}
