import { needsCounsel } from "../../../core/stages/asking.ts";
import type { RetryAdvice } from "../../../core/stages/stages.ts";
import { answerForm, formText, readAnswer, type ReadAnswer } from "../../asking/answer-form.ts";
import type { Asker, Question } from "../../../core/questions/question.ts";
import type { KnownLoop } from "../../../storage/loops/known-loop.ts";
import type { Machine } from "../../../storage/loops/machine.ts";
import { UserError } from "../../../core/user-error.ts";
import { workflowOf, type WorkflowContext } from "../take-workflow.ts";
import { sessionContext } from "./session-context.ts";
import { giveCounsel } from "../stages/retry-advice.ts";

/** Carries out a stage that puts one question. */
export type Stage = (context: WorkflowContext, signal: AbortSignal) => Promise<void>;

/** What a subagent of the session reads: the same question that a driven agent is asked, and the form of the answer. */
export async function briefFor(machine: Machine, chosen: KnownLoop, stage: Stage): Promise<string> {
  const [question] = await questionsOf(machine, chosen, stage);
  return question === undefined ? "" : briefOf(question);
}

/** What a stage asks, as far as it asks at once. */
export async function questionsOf(
  machine: Machine,
  chosen: KnownLoop,
  stage: Stage,
): Promise<readonly Question<unknown>[]> {
  const stop = new AbortController();
  const questions: Question<unknown>[] = [];
  // Stopped as soon as a question is known: nothing was asked, and nothing is recorded.
  const asker: Asker = {
    ask: async <Answer>(question: Question<Answer>) => {
      questions.push(question as Question<unknown>);
      stop.abort();
      return { type: "unanswered", why: "", agent: null };
    },
  };
  await stage(
    sessionContext(machine, chosen, () => {}, asker),
    stop.signal,
  );
  return questions;
}

export function briefOf({ text, commit, schema }: Question<unknown>): string {
  const files = commit === null ? "" : `Read a file as it is now with: git show ${commit}:PATH. `;
  return `${text.trim()}\n\n${files}Change nothing.\n\n${formText(answerForm(schema))}`;
}

/** Takes a subagent's answer to its brief. What of it counts is decided as for any other answer. */
export async function takeAnswer(
  machine: Machine,
  chosen: KnownLoop,
  answer: string,
  stage: Stage,
): Promise<void> {
  const agent = agentOf(chosen);
  const asker: Asker = {
    ask: async (question) => ({
      type: "answered",
      answer: expectUsable(answer, question).answer,
      agent,
      isCached: false,
    }),
  };
  const context = sessionContext(machine, chosen, () => {}, asker);
  await stage(context, context.interrupts.now);
}

export function agentOf({ live: { loop } }: KnownLoop): string {
  return loop.binding?.host ?? "session";
}

export function expectUsable<Answer>(
  answer: string,
  question: Question<Answer>,
): Extract<ReadAnswer<Answer>, { readonly type: "usable" }> {
  const read = readAnswer(answer, question);
  if (read.type === "unusable")
    throw new UserError(`${read.why} Nothing was recorded; correct it and run the command again.`);
  return read;
}

/** For what should be in the journal by now. */
export function expectRecorded<Recorded>(recorded: Recorded | undefined): Recorded {
  if (recorded === undefined)
    throw new UserError("Nothing was recorded: the loop is no longer this session's.");
  return recorded;
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
