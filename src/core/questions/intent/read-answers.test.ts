import { describe, expect, test } from "vitest";
import { DIMENSIONS } from "../../spec/rule.ts";
import type { IntentQuestion } from "./question.ts";
import { readAnswers } from "./read-answers.ts";

const questions: readonly IntentQuestion[] = DIMENSIONS.map((about) => ({
  about,
  text: `${about}?`,
  choices: [`${about} one`, `${about} two`],
}));

function texts(line: string, asked = questions): readonly string[] | string {
  const read = readAnswers(line, asked);
  return read.type === "unclear" ? read.why : read.answers.map(({ about, text }) => `${about}=${text}`);
}

describe("one line answers", () => {
  test.each<readonly [line: string, answers: readonly string[]]>([
    ["1A, 2B", ["outcome=outcome one", "scope=scope two"]],
    ["1a 2b", ["outcome=outcome one", "scope=scope two"]],
    ["2: only src/cart.js, not the tests", ["scope=only src/cart.js, not the tests"]],
    ["1A; 2: only src/, 3B", ["outcome=outcome one", "scope=only src/", "constraints=constraints two"]],
    ["2) src/ 1) faster", ["scope=src/", "outcome=faster"]],
    ["1A but not the API", ["outcome=outcome one; but not the API"]],
    ["1: below 100 ms in 3 of 3 runs, 9A batteries", ["outcome=below 100 ms in 3 of 3 runs, 9A batteries"]],
    ["1: , 2A", ["scope=scope one"]],
  ])("%j", (line, answers) => {
    expect(texts(line)).toEqual(answers);
  });

  test("the only question without its number, by a letter or in words", () => {
    const only = questions.slice(1, 2);
    expect(texts("b", only)).toEqual(["scope=scope two"]);
    expect(texts("src/cart.js", only)).toEqual(["scope=src/cart.js"]);
  });
});

test.each([
  ["1Z", "Question 1 has no Z; for example: 1A, 2: your own words"],
  ["9A", "There is no question 9; for example: 1A, 2: your own words"],
  ["faster please", "Begin each answer with the number of its question; for example: 1A, 2: your own words"],
  ["faster, 2A", "Begin each answer with the number of its question; for example: 1A, 2: your own words"],
])("%j is asked for again", (line, why) => {
  expect(texts(line)).toBe(why);
});

test("an endless line ends", () => {
  const [answer = ""] = texts(`1: ${"x".repeat(100_000)}`);
  expect(answer.length).toBeLessThan(2_100);
});
