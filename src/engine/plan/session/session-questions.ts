import { isReviewDue, needsCounsel } from "../../../core/stages/judging.ts";
import type { Loop } from "../../../core/loop/loop.ts";
import type { Review, RetryAdvice } from "../../../core/stages/stages.ts";
import { answerForm, formText, readAnswer } from "../../asking/answer-form.ts";
import type { Asker, Question } from "../../../core/questions/question.ts";
import type { KnownLoop } from "../../../storage/loops/known-loop.ts";
import type { Machine } from "../../../storage/loops/machine.ts";
import { UserError } from "../../../core/user-error.ts";
import type { WorkflowContext } from "../take-workflow.ts";
import { sessionContext } from "./session-context.ts";
import { reviewWave, reviewWork } from "../stages/review-work.ts";
import { workflowOf } from "../take-workflow.ts";
import { giveCounsel } from "../stages/retry-advice.ts";

/** Carries out a stage that puts one question. */
type Stage = (context: WorkflowContext, signal: AbortSignal) => Promise<void>;

/** What a subagent of the session reads: the same question that a driven agent is asked, and the form of the answer. */
async function briefFor(machine: Machine, chosen: KnownLoop, stage: Stage): Promise<string> {
  const stop = new AbortController();
  let brief = "";
  // Stopped as soon as the question is known: nothing was asked, and nothing is recorded.
  const asker: Asker = {
    ask: async <Answer>(question: Question<Answer>) => {
      brief = briefOf(question);
      stop.abort();
      return { type: "unanswered", why: "", agent: null };
    },
  };
  await stage(
    sessionContext(machine, chosen, () => {}, asker),
    stop.signal,
  );
  return brief;
}

function briefOf<Answer>({ text, commit, schema }: Question<Answer>): string {
  const files = commit === null ? "" : `Read a file as it is now with: git show ${commit}:PATH. `;
  return `${text.trim()}\n\n${files}Change nothing.\n\n${formText(answerForm(schema))}`;
}

/** Takes a subagent's answer to its brief. What of it counts is decided as for any other answer. */
async function takeAnswer(machine: Machine, chosen: KnownLoop, answer: string, stage: Stage): Promise<void> {
  const agent = chosen.live.loop.binding?.host ?? "session";
  const asker: Asker = {
    ask: async (question) => {
      const read = readAnswer(answer, question);
      if (read.type === "unusable")
        throw new UserError(`${read.why} Nothing was recorded; correct it and run the command again.`);
      return { type: "answered", answer: read.answer, agent, isCached: false };
    },
  };
  const context = sessionContext(machine, chosen, () => {}, asker);
  await stage(context, context.interrupts.now);
}

/** For what should be in the journal by now. */
function expectRecorded<Recorded>(recorded: Recorded | undefined): Recorded {
  if (recorded === undefined)
    throw new UserError("Nothing was recorded: the loop is no longer this session's.");
  return recorded;
}

/** What a reviewer in the session reads; `wave`: a light review of that one, null: the review of the whole. */
export async function reviewBrief(machine: Machine, chosen: KnownLoop, wave: number | null): Promise<string> {
  return briefFor(machine, chosen, async (context, signal) => review(context, wave, signal));
}

/** The commit that the brief of the whole is about, as its reviewer names it when they answer. */
export function reviewedCommit({ live: { loop } }: KnownLoop): string {
  return (loop.workflow?.branch?.tip ?? "").slice(0, 12);
}

/** Takes the reviewer's answer; `of`: the commit that their brief was about, null: they don't say. */
export async function recordReview(
  machine: Machine,
  chosen: KnownLoop,
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

/** What somebody reads who says how the next attempt at a task goes about it differently. */
export async function counselBrief(machine: Machine, chosen: KnownLoop, task: string): Promise<string> {
  return briefFor(machine, chosen, async (context, signal) =>
    giveCounsel(context, task, failedAttempt(context, task), signal),
  );
}

/** Takes the advice; the next attempt is told. */
export async function recordCounsel(
  machine: Machine,
  chosen: KnownLoop,
  task: string,
  answer: string,
): Promise<RetryAdvice> {
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
