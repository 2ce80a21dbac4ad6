import { createInterface } from "node:readline/promises";

/** What the person at the terminal answers; nothing, when the input ends first. */
export async function ask(question: string): Promise<string> {
  const reader = createInterface({ input: process.stdin, output: process.stderr });
  const closed = new Promise<string>((resolve) => reader.once("close", () => resolve("")));
  try {
    return (await Promise.race([reader.question(question), closed])).trim();
  } finally {
    reader.close();
  }
}

/** A question to the person at the terminal; anything but yes is no. */
export async function confirm(question: string): Promise<boolean> {
  return /^y(es)?$/i.test(await ask(`${question} [y/N] `));
}
