import type { Lesson } from "./learning.ts";
import { isGeneric, wordsOf } from "./words.ts";

/** Below this, two texts only share words by chance. */
const RELEVANT_FROM = 0.15;
/** A text of two words isn't about the same because one of them occurs. */
const SHORTEST_TEXT = 4;
const GENERIC_WEIGHT = 0.25;

export interface Relevant<Each> {
  readonly learning: Each;
  /** The weight of the words they share, by that of the shorter text: up to 1. */
  readonly relevance: number;
}

/**
 * The learnings that are about what a spec is about: they share a word that means something, and enough of their words. A word that
 * few learnings have weighs more.
 */
export function relevantTo<Each extends Pick<Lesson, "text" | "context">>(
  spec: string,
  learnings: readonly Each[],
): readonly Relevant<Each>[] {
  const asked = wordsOf(spec);
  const texts = learnings.map((learning) => ({
    learning,
    words: wordsOf(`${learning.context} ${learning.text}`),
  }));
  const counts = new Map<string, number>();
  for (const { words } of texts) for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1);
  const weight = (word: string): number => {
    const rare = 1 + Math.log((texts.length + 1) / ((counts.get(word) ?? 0) + 1));
    return isGeneric(word) ? GENERIC_WEIGHT : rare;
  };
  const sum = (words: Iterable<string>): number =>
    [...words].reduce((total, word) => total + weight(word), 0);
  const whole = sum(asked);
  return texts.flatMap(({ learning, words }) => {
    const shared = [...words].filter((word) => asked.has(word));
    if (shared.every(isGeneric)) return [];
    const relevance = sum(shared) / Math.max(SHORTEST_TEXT, Math.min(whole, sum(words)));
    return relevance < RELEVANT_FROM ? [] : [{ learning, relevance: Math.min(1, relevance) }];
  });
}
