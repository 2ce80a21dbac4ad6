import type { Terminal } from "../../../views/terminal/terminal.ts";
import type { Asking } from "./read-answer.ts";
import { readAnswer } from "./read-answer.ts";

export interface Choices<Key extends string> {
  /** Each with the words that mean it; the first letter of the first one stands for it, and is shown. */
  readonly words: { readonly [Each in Key]: readonly [string, ...string[]] };
  /** What some of them do, where their words don't say it. */
  readonly meanings?: { readonly [Each in Key]?: string };
  /** What Enter means. */
  readonly usual: Key;
  /** What the end of the input means. */
  readonly atEnd: Key;
  /** Said to who answers something else. */
  readonly hint?: string;
}

type Screen = Pick<Terminal, "paint" | "canRewrite" | "print">;

/** Asks until the answer is one of the choices. */
export async function choose<Key extends string>(
  screen: Screen,
  text: string,
  { words, meanings = {}, usual, atEnd, hint = "" }: Choices<Key>,
  asking: Asking = {},
): Promise<Key> {
  const keys = Object.keys(words) as Key[];
  const letters = keys.map((key) => letterOf(words[key][0], key === usual)).join("/");
  const explained = keys.flatMap((key) => {
    const meaning = meanings[key];
    return meaning === undefined ? [] : [`${words[key][0].charAt(0)}: ${meaning}`];
  });
  if (explained.length > 0) screen.print(`  ${screen.paint("dim", explained.join(", "))}`);
  for (;;) {
    const answer = await readAnswer(screen, { text, hint: letters, usual: words[usual][0] }, asking);
    if (answer === null) return atEnd;
    if (answer === "") return usual;
    const said = answer.toLowerCase();
    const key = keys.find((each) => said === words[each][0].charAt(0) || words[each].includes(said));
    if (key !== undefined) return key;
    screen.print(`  Please answer ${listed(keys.map((each) => words[each][0]))}.${hint}`);
  }
}

function letterOf(word: string, isUsual: boolean): string {
  const letter = word.charAt(0);
  return isUsual ? letter.toUpperCase() : letter;
}

/** `y (yes), n (no) or a (always)` */
function listed(words: readonly string[]): string {
  const named = words.map((word) => `${word.charAt(0)} (${word})`);
  return `${named.slice(0, -1).join(", ")} or ${named.at(-1) ?? ""}`;
}
