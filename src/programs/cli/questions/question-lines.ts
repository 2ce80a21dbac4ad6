import type { IntentQuestion } from "../../../core/questions/intent/intent-question.ts";
import { oneLine, printable } from "../../../system/text/plain-text.ts";

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
