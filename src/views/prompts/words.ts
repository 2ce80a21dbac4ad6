import { LONGEST_WORDS, type Words } from "../../core/loop/words.ts";
import { oneLine, printable } from "../../system/text/plain-text.ts";

/** A conversation that begins anew has heard nothing; what was said long ago is in the work by then. */
const MOST_TOLD = 10;

const HOW_TO_TAKE_IT = "Take it into account. It loosens no check and no must-not.";

/** A person's words in a prompt, each as a quotation; empty when there are none. */
export function wordsPart(words: readonly Pick<Words, "text">[]): string {
  if (words.length === 0) return "";
  return `# The user says\n\n${words
    .slice(-MOST_TOLD)
    .map(({ text }) => quotation(text))
    .join("\n\n")}\n\n${HOW_TO_TAKE_IT}`;
}

function quotation(text: string): string {
  return printable(text)
    .slice(0, LONGEST_WORDS)
    .split("\n")
    .map((line) => `> ${line}`)
    .join("\n");
}

/** The user's words in a hold. */
export function wordsLines(words: readonly string[]): readonly string[] {
  return words.length === 0
    ? []
    : [...words.map((text) => `The user says:\n${quotation(text)}`), HOW_TO_TAKE_IT];
}

/** The user's words in one line. */
export function wordsHint(words: readonly string[]): string {
  return `the user says: ${oneLine(words.join(" / "), LONGEST_WORDS)}`;
}
