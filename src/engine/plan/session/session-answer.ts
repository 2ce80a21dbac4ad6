import { answerForm, formText, readAnswer } from "../../asking/answer-form.ts";
import type { Asker, Question } from "../../../core/questions/question.ts";
import type { LockedLoop } from "../../../storage/loops/locked-loop.ts";
import type { Machine } from "../../../storage/loops/machine.ts";
import { UserError } from "../../../core/user-error.ts";
import type { WorkflowContext } from "../take-workflow.ts";
import { sessionContext } from "./session-context.ts";

/** Carries out a stage that puts one question. */
type Stage = (context: WorkflowContext, signal: AbortSignal) => Promise<void>;

/** What a subagent of the session reads: the same question that a driven agent is asked, and the form of the answer. */
export async function briefFor(machine: Machine, chosen: LockedLoop, stage: Stage): Promise<string> {
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
export async function takeAnswer(
  machine: Machine,
  chosen: LockedLoop,
  answer: string,
  stage: Stage,
): Promise<void> {
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
export function expectRecorded<Recorded>(recorded: Recorded | undefined): Recorded {
  if (recorded === undefined)
    throw new UserError("Nothing was recorded: the loop is no longer this session's.");
  return recorded;
}
