import { scoreSpec } from "../../spec/score.ts";
import type { Answer } from "./answered-spec.ts";
import { isOneLine } from "./answered-spec.ts";

/**
 * The spec after its author said what was meant instead: other words for a sentence; anything longer becomes the background. A
 * heading of one word asks for nothing itself.
 */
export function correctedSpec(spec: string, words: string): string {
  return isOneLine(spec) ? words : `${words}\n\n## Background\n\n${spec}`;
}

/** Earlier answers that a correction leaves as they were: those about what it doesn't speak of. */
export function answersAfter<Of extends Answer>(words: string, answers: readonly Of[]): readonly Of[] {
  const said = scoreSpec(words);
  return answers.filter(({ about }) => about !== "outcome" && said[about] === 0);
}
