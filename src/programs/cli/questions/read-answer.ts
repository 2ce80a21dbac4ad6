import { cursorTo, moveCursor } from "node:readline";
import { createInterface } from "node:readline/promises";
import { displayWidth } from "../../../system/text/display-width.ts";
import { printable } from "../../../system/text/plain-text.ts";
import type { Terminal } from "../../../views/terminal/terminal.ts";

export interface Question {
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

type Screen = Pick<Terminal, "paint" | "canRewrite">;

/**
 * The line that the person types, in the one form in which this program asks. null: the input ended first. Ctrl-C, or
 * the signal, rejects with an `AbortError`.
 */
export async function readAnswer(
  screen: Screen,
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
