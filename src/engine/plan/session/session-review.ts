import { join } from "node:path";
import type { Loop } from "../../../core/loop/loop.ts";
import type { Asker, Question } from "../../../core/questions/question.ts";
import { isReviewDue } from "../../../core/stages/asking.ts";
import type { Review } from "../../../core/stages/stages.ts";
import { UserError } from "../../../core/user-error.ts";
import { approvalFolder } from "../../../storage/home/approval-record.ts";
import type { KnownLoop } from "../../../storage/loops/known-loop.ts";
import type { Machine } from "../../../storage/loops/machine.ts";
import { answerForm, checkAnswer } from "../../asking/answer-form.ts";
import { findAnswer, keepAnswer, treeOfCommit } from "../../asking/kept-answers.ts";
import { reviewWave, reviewWork } from "../stages/review-work.ts";
import { workflowOf, type WorkflowContext } from "../take-workflow.ts";
import { sessionContext } from "./session-context.ts";
import type { Stage } from "./session-questions.ts";
import {
  agentOf,
  briefFor,
  briefOf,
  expectRecorded,
  expectUsable,
  questionsOf,
  takeAnswer,
} from "./session-questions.ts";

/** What a reviewer in the session answers. */
export interface WhichReview {
  /** A light review of this one; null: the review of the whole. */
  readonly wave: number | null;
  /** One of the panel, by the point of view; null: one reviewer for all. */
  readonly as: string | null;
}

/** What the reviewer reads. */
export async function reviewBrief(machine: Machine, chosen: KnownLoop, which: WhichReview): Promise<string> {
  if (which.as === null) return briefFor(machine, chosen, stageOf(which, true));
  return briefOf(theirs(await questionsOf(machine, chosen, stageOf(which, false)), which.as));
}

/** Whose answers are still to come, by their points of view. */
export async function missingReviewers(
  machine: Machine,
  chosen: KnownLoop,
  wave: number | null,
): Promise<readonly string[]> {
  const questions = await questionsOf(machine, chosen, stageOf({ wave, as: null }, false));
  const answers = await answersOf(machine, chosen);
  const missing: string[] = [];
  for (const question of questions)
    if ((await answers.find(question)) === null) missing.push(nameOf(question));
  return missing;
}

/** The commit that the brief of the whole is about, as its reviewer names it when they answer. */
export function reviewedCommit({ live: { loop } }: KnownLoop): string {
  return (loop.workflow?.branch?.tip ?? "").slice(0, 12);
}

/** Takes a reviewer's answer; `of`: the commit that their brief was about, null: they don't say. Null: others are still to answer. */
export async function recordReview(
  machine: Machine,
  chosen: KnownLoop,
  { wave, as, of }: WhichReview & { readonly of: string | null },
  answer: string,
): Promise<Review | null> {
  if (wave === null && of !== null && of !== reviewedCommit(chosen))
    throw new UserError("The work has changed since that brief; read the new one with: loop review brief");
  const round = (chosen.live.loop.stages?.reviews.length ?? 0) + 1;
  if (as === null) await takeAnswer(machine, chosen, answer, stageOf({ wave, as }, true));
  else await takeVoice(machine, chosen, { wave, as }, answer);
  const { stages } = await chosen.live.refresh();
  const recorded =
    wave === null
      ? stages?.reviews.find((each) => each.round === round)
      : stages?.waveReviews.find((each) => each.wave === wave);
  return as === null ? expectRecorded(recorded) : (recorded ?? null);
}

/** Keeps one answer of a panel. Whoever brings the last one records what all of them say. */
async function takeVoice(
  machine: Machine,
  chosen: KnownLoop,
  which: WhichReview & { readonly as: string },
  answer: string,
): Promise<void> {
  const stage = stageOf(which, false);
  const question = theirs(await questionsOf(machine, chosen, stage), which.as);
  const answers = await answersOf(machine, chosen);
  await answers.keep(question, expectUsable(answer, question).value);
  const stop = new AbortController();
  const asker: Asker = {
    ask: async (asked) => {
      const kept = await answers.find(asked);
      if (kept !== null) return { type: "answered", answer: kept, agent: agentOf(chosen), isCached: true };
      stop.abort();
      return { type: "unanswered", why: "", agent: null };
    },
  };
  await stage(
    sessionContext(machine, chosen, () => {}, asker),
    stop.signal,
  );
}

interface KeptVoices {
  readonly find: <Answer>(question: Question<Answer>) => Promise<Answer | null>;
  readonly keep: (question: Question<unknown>, value: unknown) => Promise<void>;
}

/** Where the answers of a panel wait for each other: beside those of driven agents, and for the same files only. */
async function answersOf(machine: Machine, chosen: KnownLoop): Promise<KeptVoices> {
  const { root } = chosen.live.project;
  const folder = join(approvalFolder({ home: machine.home, root, loop: chosen.id }), "answers");
  const keyOf = async ({
    text,
    schema,
    commit,
  }: Question<unknown>): Promise<Parameters<typeof findAnswer>[1]> => ({
    text,
    form: answerForm(schema),
    tree: await treeOfCommit(root, commit),
    agent: agentOf(chosen),
    model: null,
  });
  return {
    find: async (question) => {
      const known = findAnswer(folder, await keyOf(question as Question<unknown>));
      const read = known === null ? null : checkAnswer(known.value, question);
      return read?.type === "usable" ? read.answer : null;
    },
    keep: async (question, value) => keepAnswer(folder, await keyOf(question), value),
  };
}

function theirs(questions: readonly Question<unknown>[], as: string): Question<unknown> {
  const found = questions.find((each) => nameOf(each) === as);
  if (found !== undefined) return found;
  throw new UserError(`The panel has no reviewer "${as}"; it has: ${questions.map(nameOf).join(", ")}.`);
}

/** `review-1-error-handling` is that of `error-handling`. */
function nameOf({ id, panel }: Question<unknown>): string {
  return panel === undefined ? id : id.slice(panel.length + 1);
}

function stageOf({ wave }: WhichReview, isOneReviewer: boolean): Stage {
  return async (context, signal) => review(context, wave, signal, isOneReviewer);
}

async function review(
  context: WorkflowContext,
  wave: number | null,
  signal: AbortSignal,
  isOneReviewer: boolean,
): Promise<void> {
  const { loop } = context.live;
  if (wave === null) return reviewWork(context, roundOf(loop), signal, { isOneReviewer });
  expectUnreviewed(loop, wave);
  return reviewWave(context, wave, signal, { isOneReviewer });
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
