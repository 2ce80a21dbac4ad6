import { ImpossibleEvent, type EventOf } from "../events/event.ts";

/** What a person told the agents of a loop while it ran or was paused. */
export interface Words {
  readonly text: string;
  /** The task of a plan that they are for; null: the whole loop. */
  readonly task: string | null;
  readonly at: number;
  /** The turn whose prompt had them, or the hold; null: no agent has them yet. */
  readonly heardIn: string | null;
}

/** How long one message may be, and how many may wait: longer texts belong into a file that the message names. */
export const LONGEST_WORDS = 4_000;
export const MOST_UNHEARD = 20;

/** Heard outside a driven turn: in a hold, or where they were typed. */
const IN_SESSION = "session";

export function unheard(words: readonly Words[]): readonly Words[] {
  return words.filter(({ heardIn }) => heardIn === null);
}

/** For a task of a plan: its own, and those for the whole plan. */
export function wordsFor(words: readonly Words[], task: string): readonly Words[] {
  return words.filter((each) => each.task === null || each.task === task);
}

export function withWords(
  words: readonly Words[],
  event: EventOf<"words.told">,
  at: number,
): readonly Words[] {
  return [...words, { text: event.text, task: event.task, at, heardIn: null }];
}

/** The first so many are heard: later ones came after the prompt was written. */
export function withHeard(
  words: readonly Words[],
  { count, turn }: EventOf<"words.heard">,
): readonly Words[] {
  if (count > words.length) throw new ImpossibleEvent(`${count} words are heard of ${words.length}`);
  const heardIn = turn ?? IN_SESSION;
  return words.map((each, index) => (index < count && each.heardIn === null ? { ...each, heardIn } : each));
}

/** A turn that came to nothing may not have read its prompt, so the next one has its words again. */
export function withoutLostTurn(words: readonly Words[], turn: string): readonly Words[] {
  return words.some(({ heardIn }) => heardIn === turn)
    ? words.map((each) => (each.heardIn === turn ? { ...each, heardIn: null } : each))
    : words;
}
