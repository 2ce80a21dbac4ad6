import type { Terminal } from "../../../views/terminal/terminal.ts";
import { UserError } from "../../../core/user-error.ts";
import type { Context } from "../context.ts";
import { cursorTo, moveCursor } from "node:readline";
import { createInterface } from "node:readline/promises";
import { displayWidth } from "../../../system/text/display-width.ts";
import { printable } from "../../../system/text/plain-text.ts";

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

/** Yes or no. `usual` is what Enter means; the end of the input is never a yes. */
export async function confirm(
  terminal: Pick<Terminal, "paint" | "canRewrite" | "print">,
  question: string,
  usual: "yes" | "no" = "no",
): Promise<boolean> {
  const words = { yes: ["yes"], no: ["no"] } as const;
  return (await choose(terminal, question, { words, usual, atEnd: "no" })) === "yes";
}

/** Whether a person agrees to what was just shown: with `--yes`, or at the terminal. */
export async function isAgreed(
  { terminal, answers }: Pick<Context, "terminal" | "answers">,
  { yes }: { readonly yes?: boolean },
  question: string,
  usual: "yes" | "no" = "no",
): Promise<boolean> {
  if (yes) return true;
  if (!terminal.isInteractive)
    throw new UserError("Cannot ask without a terminal; read the above, then add --yes.");
  const agreed = await confirm(terminal, question, usual);
  if (agreed) answers.addFlags("--yes");
  return agreed;
}

interface Question {
  readonly text: string;
  /** What stands in brackets: the choices, the usual one in capitals, or what Enter stands for. */
  readonly hint: string;
  /** What Enter stands for, in a word; null where nothing does. */
  readonly usual: string | null;
}

export interface Asking {
  /** Gives the question up. */
  readonly signal?: AbortSignal;
  /** Answers Ctrl-C, where it means something else than the end of the command. */
  readonly onInterrupt?: () => void;
}

/**
 * The line that the person types, in the one form in which this program asks. null: the input ended first. Ctrl-C, or
 * the signal, rejects with an `AbortError`.
 */
export async function readAnswer(
  screen: Pick<Terminal, "paint" | "canRewrite">,
  { text, hint, usual }: Question,
  { signal, onInterrupt }: Asking = {},
): Promise<string | null> {
  const { stdin, stdout } = process;
  const plain = `? ${printable(text)} [${hint}] `;
  const reader = createInterface({ input: stdin, output: stdout });
  const interrupted = new AbortController();
  reader.once("SIGINT", () => {
    onInterrupt?.();
    interrupted.abort();
  });
  const given = AbortSignal.any([interrupted.signal, ...(signal === undefined ? [] : [signal])]);
  const closed = new Promise<null>((resolve) => reader.once("close", () => resolve(null)));
  const asked = reader.question(`${screen.paint("cyan", "?")}${plain.slice(1)}`, { signal: given });
  try {
    // A question that is pending at the end is never answered, or given up, as the version of Node will have it.
    const line = await Promise.race([asked, closed]).catch((error: unknown) => {
      if (given.aborted) throw error;
      return null;
    });
    const answer = line?.trim() ?? null;
    if (answer === null) stdout.write("\n");
    if (answer === "" && usual !== null && screen.canRewrite) showUsual(usual, displayWidth(plain));
    return answer;
  } catch (error) {
    stdout.write("\n");
    throw error;
  } finally {
    reader.close();
  }
}

/** Enter leaves nothing on the screen: says what it stood for, behind the question. */
function showUsual(usual: string, promptWidth: number): void {
  const { stdout } = process;
  moveCursor(stdout, 0, -1);
  cursorTo(stdout, promptWidth % (stdout.columns || promptWidth + 1));
  stdout.write(`${usual}\n`);
}
