import type { SpecScore } from "../../rubric/score.ts";
import { DIMENSIONS } from "../../rubric/score.ts";
import { readAnswer } from "../questions/read-answer.ts";
import type { Terminal } from "../terminal.ts";
import type { Answer } from "../../judgement/intent/answered-spec.ts";

/** One question at a time; Enter leaves it open, the end of the input all that are left. */
export async function askQuestions(
  terminal: Terminal,
  score: SpecScore,
  heard: (answers: readonly Answer[]) => void,
): Promise<readonly Answer[]> {
  // There is one question for each of these, in this order.
  const weak = DIMENSIONS.filter((dimension) => score[dimension] < 2);
  const answers: Answer[] = [];
  for (const [index, about] of weak.entries()) {
    const question = { text: score.questions[index] ?? about, hint: "skip", usual: "skip" };
    const text = await readAnswer(terminal, question);
    if (text === null) break;
    if (text === "") continue;
    answers.push({ about, text });
    heard(answers);
  }
  return answers;
}
