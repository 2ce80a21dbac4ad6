import { createInterface } from "node:readline/promises";
import type { SpecScore } from "../../rubric/score.ts";
import { DIMENSIONS } from "../../rubric/score.ts";
import { printable } from "../../text/plain-text.ts";
import type { Answer } from "./answered-spec.ts";

/** Asks one question at a time. An empty answer leaves it open; the end of the input leaves the rest open. */
export async function askQuestions(score: SpecScore): Promise<readonly Answer[]> {
  const reader = createInterface({ input: process.stdin, output: process.stderr });
  const interrupted = new AbortController();
  reader.once("SIGINT", () => interrupted.abort());
  const closed = new Promise<null>((resolve) => reader.once("close", () => resolve(null)));
  const ask = async (question: string): Promise<string | null> => {
    const asked = reader.question(`  ? ${printable(question)}\n    `, { signal: interrupted.signal });
    // When the input ends, a pending question stays unanswered or is rejected, depending on the version of Node.
    return Promise.race([asked, closed]).catch((error: unknown) => {
      if (interrupted.signal.aborted) throw error;
      return null;
    });
  };
  // One question for each of these, in this order.
  const weak = DIMENSIONS.filter((dimension) => score[dimension] < 2);
  const answers: Answer[] = [];
  try {
    for (const [index, about] of weak.entries()) {
      const text = (await ask(score.questions[index] ?? about))?.trim() ?? null;
      if (text === null) break;
      if (text !== "") answers.push({ about, text });
    }
  } finally {
    reader.close();
  }
  return answers;
}
