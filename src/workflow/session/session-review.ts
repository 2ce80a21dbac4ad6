import { answerForm } from "../../asking/answer-form.ts";
import { formText } from "../../asking/prompt.ts";
import type { Asker, Question } from "../../asking/question.ts";
import { readAnswer } from "../../asking/read-answer.ts";
import type { ThoroughReview } from "../../core/stages/stages.ts";
import { isReviewDue } from "../../core/stages/judging.ts";
import type { LockedLoop } from "../../loops/locked-loop.ts";
import type { Machine } from "../../loops/machine.ts";
import { UserError } from "../../loops/user-error.ts";
import { reviewWork } from "../stages/review-work.ts";
import type { WorkflowContext } from "../take-workflow.ts";
import { workflowOf } from "../take-workflow.ts";
import { sessionContext } from "./session-context.ts";

/** What a reviewer in the session reads: the same question that a driven one is asked, and the form of the answer. */
export async function reviewBrief(machine: Machine, chosen: LockedLoop): Promise<string> {
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
  const context = sessionContext(machine, chosen, () => {}, asker);
  await reviewWork(context, roundOf(context), stop.signal);
  return brief;
}

function briefOf<Answer>({ text, commit, schema }: Question<Answer>): string {
  const files = commit === null ? "" : `Read a file as it is now with: git show ${commit}:PATH. `;
  return `${text.trim()}\n\n${files}Change nothing.\n\n${formText(answerForm(schema))}`;
}

/** Takes an answer to the brief. What of it counts is decided as for any other review. */
export async function recordReview(
  machine: Machine,
  chosen: LockedLoop,
  answer: string,
): Promise<ThoroughReview> {
  const asker: Asker = {
    ask: async (question) => {
      const read = readAnswer(answer, question);
      if (read.type === "unusable")
        throw new UserError(`${read.why} Nothing was recorded; correct it and run the command again.`);
      return { type: "answered", answer: read.answer, agent: agentOf(chosen), isCached: false };
    },
  };
  const context = sessionContext(machine, chosen, () => {}, asker);
  const round = roundOf(context);
  await reviewWork(context, round, context.interrupts.now);
  const recorded = (await context.live.refresh()).stages?.reviews.find((each) => each.round === round);
  if (recorded === undefined)
    throw new UserError("Nothing was recorded: the loop is no longer this session's.");
  return recorded;
}

function agentOf({ live }: LockedLoop): string {
  return live.loop.binding?.host ?? "session";
}

function roundOf({ live }: WorkflowContext): number {
  const { stages } = live.loop;
  if (stages === null || !isReviewDue(workflowOf(live.loop), stages))
    throw new UserError("Nothing is to be reviewed now; stop, and read what is next.");
  return stages.reviews.length + 1;
}
