import { createInterface } from "node:readline/promises";

/** The answer of the person at the terminal; empty when the input ends first. */
export async function ask(question: string): Promise<string> {
  const reader = createInterface({ input: process.stdin, output: process.stderr });
  const closed = new Promise<string>((resolve) => reader.once("close", () => resolve("")));
  try {
    return (await Promise.race([reader.question(question), closed])).trim();
  } finally {
    reader.close();
  }
}

/** Asks the person at the terminal. Anything but yes means no. */
export async function confirm(question: string): Promise<boolean> {
  return /^y(es)?$/i.test(await ask(`${question} [y/N] `));
}
