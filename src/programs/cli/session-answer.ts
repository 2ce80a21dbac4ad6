import type { Context } from "./context.ts";
import { readWholeText } from "./read-text.ts";

/** What a subagent of a session passes as its answer to a brief. */
export const ANSWER = "the answer as a JSON object, a file with it, or - for standard input";

export function answerText(context: Context, answer: string): string {
  return answer.trimStart().startsWith("{") ? answer : readWholeText(context, answer);
}

/** Claude Code refuses JSON in a here-document, unless everything is allowed. */
export function howToRecord(command: string): string {
  return `\nRecord your answer, with '\\'' for each apostrophe in it: ${command} 'YOUR JSON OBJECT'`;
}
