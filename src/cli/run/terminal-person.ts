import type { IntentQuestion } from "../../judgement/intent/question.ts";
import { readAnswers } from "../../judgement/intent/read-answers.ts";
import type { Answer } from "../../judgement/intent/answered-spec.ts";
import { oneLine, printable } from "../../text/plain-text.ts";
import type { Said, StagePerson } from "../../workflow/stages/stage-person.ts";
import type { Choices } from "../questions/choose.ts";
import { choose } from "../questions/choose.ts";
import { confirm } from "../questions/confirm.ts";
import type { Asking } from "../questions/read-answer.ts";
import { readAnswer } from "../questions/read-answer.ts";
import type { Terminal } from "../terminal.ts";
import type { TerminalInterrupts } from "./interrupts.ts";
import { plannedLines, shapeLines } from "./stage-view.ts";

const CONTINUE: Choices<Said["type"]> = {
  words: { yes: ["yes"], no: ["no", "q", "quit", "stop"], change: ["edit", "change"] },
  usual: "yes",
  atEnd: "no",
};

/** The person at the terminal, who says what is meant and agrees to the shape and the plan. */
export function terminalPerson(terminal: Terminal, interrupts: TerminalInterrupts): StagePerson {
  const asking: Asking = { signal: interrupts.first, onInterrupt: interrupts.interrupt };
  /** Ctrl-C pauses the loop, like a no. */
  const unlessInterrupted = async <Answered>(
    ask: () => Promise<Answered>,
    otherwise: Answered,
  ): Promise<Answered> => {
    try {
      return await ask();
    } catch (error) {
      if (interrupts.asked()) return otherwise;
      throw error;
    }
  };
  const goesOn = async (question: string, what: string): Promise<Said> =>
    unlessInterrupted<Said>(
      async () => {
        const answer = await choose(terminal, question, CONTINUE, asking);
        if (answer !== "change") return { type: answer };
        const text = await readAnswer(terminal, { text: what, hint: "nothing", usual: "nothing" }, asking);
        return text === null || text === "" ? { type: "yes" } : { type: "change", text };
      },
      { type: "no" },
    );
  return {
    answer: async (why, questions) =>
      unlessInterrupted(async () => askAll(terminal, why, questions, asking), null),
    confirms: async () => goesOn("Is that what you mean?", "What is meant instead?"),
    agrees: async (to, loop) => {
      if (to === "shape") for (const line of shapeLines(terminal, loop)) terminal.print(line);
      else
        for (const line of plannedLines(terminal, loop.workflow?.plan ?? { source: "agent", tasks: [] }))
          terminal.print(line);
      return goesOn("Continue?", `What should be different about the ${to}?`);
    },
    approves: async (commands) => {
      terminal.print("A model proposes these commands as checks:");
      for (const { name, command } of commands)
        terminal.print(`  ${oneLine(name, 60)}: ${printable(command)}`);
      return unlessInterrupted(async () => confirm(terminal, "Let them run here?", "no"), false);
    },
  };
}

/** All questions at once, each with its proposals; one line answers them. null: nobody does. */
export async function askAll(
  terminal: Terminal,
  why: string,
  questions: readonly IntentQuestion[],
  asking: Asking = {},
): Promise<readonly Answer[] | null> {
  terminal.complain(`loop: ${why}`);
  for (const [index, { text, choices }] of questions.entries()) {
    terminal.print(`  ${index + 1}  ${printable(text)}`);
    for (const [place, choice] of choices.entries())
      terminal.print(
        `     ${String.fromCharCode("A".charCodeAt(0) + place)}  ${oneLine(choice, terminal.width - 8)}`,
      );
  }
  const example = questions.length > 1 ? "1A, 2: your own words" : "A, or your own words";
  for (;;) {
    const question = { text: `Your answers, such as ${example}`, hint: "skip", usual: "skip" };
    const line = await readAnswer(terminal, question, asking);
    if (line === null || line === "") return null;
    const read = readAnswers(line, questions);
    if (read.type === "answers") return read.answers;
    terminal.print(`  ${read.why}.`);
  }
}
