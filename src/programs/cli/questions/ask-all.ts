import { readAnswers, type Answer } from "../../../core/questions/intent/answers.ts";
import type { IntentQuestion } from "../../../core/questions/intent/intent-question.ts";
import type { Terminal } from "../../../views/terminal/terminal.ts";
import { readAnswer, type Asking } from "./choose.ts";
import { oneLine, printable } from "../../../system/text/plain-text.ts";

/** All questions at once, each with its proposals; one line answers them. null: nobody does. */
export async function askAll(
  terminal: Terminal,
  why: string,
  questions: readonly IntentQuestion[],
  asking: Asking = {},
): Promise<readonly Answer[] | null> {
  terminal.complain(`loop: ${why}`);
  for (const line of questionLines(questions, terminal.width)) terminal.print(line);
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

/** Numbered questions, each with its lettered proposals. */
export function questionLines(questions: readonly IntentQuestion[], width: number): readonly string[] {
  return questions.flatMap(({ text, choices }, index) => [
    `  ${index + 1}  ${printable(text)}`,
    ...choices.map(
      (choice, place) =>
        `     ${String.fromCharCode("A".charCodeAt(0) + place)}  ${oneLine(choice, width - 8)}`,
    ),
  ]);
}
