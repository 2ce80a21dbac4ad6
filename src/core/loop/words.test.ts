import { expect, test } from "vitest";
import { unheard, withHeard, withoutLostTurn, withWords, wordsFor, type Words } from "./words.ts";

const told = (text: string, task: string | null = null): Parameters<typeof withWords>[1] => ({
  type: "words.told",
  text,
  task,
});
const said = [told("Use tabs"), told("Keep it", "T-1"), told("Drop it", "T-2")].reduce(
  (words: readonly Words[], event, index) => withWords(words, event, index),
  [],
);
const textsOf = (words: readonly Words[]): readonly string[] => words.map(({ text }) => text);

test("a task hears its own words and those for everybody", () => {
  expect(textsOf(wordsFor(said, "T-1"))).toEqual(["Use tabs", "Keep it"]);
});

test("words that came after the prompt was written wait for the next one", () => {
  const heard = withHeard(said, { type: "words.heard", count: 2, turn: "1-1" });
  expect(textsOf(unheard(heard))).toEqual(["Drop it"]);
  expect(
    withHeard(heard, { type: "words.heard", count: 3, turn: null }).map(({ heardIn }) => heardIn),
  ).toEqual(["1-1", "1-1", "session"]);
});

test("a lost turn gives its words back, and another turn's loss takes none", () => {
  const heard = withHeard(said, { type: "words.heard", count: 2, turn: "1-1" });
  expect(withoutLostTurn(heard, "2-1")).toBe(heard);
  expect(unheard(withoutLostTurn(heard, "1-1"))).toHaveLength(3);
});

test("nobody hears more words than were said", () => {
  expect(() => withHeard(said, { type: "words.heard", count: 4, turn: null })).toThrow(
    "4 words are heard of 3",
  );
});
