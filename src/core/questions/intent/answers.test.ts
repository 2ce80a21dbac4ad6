import { describe, expect, test } from "vitest";
import { DIMENSIONS, type Dimension } from "../../spec/rule.ts";
import type { IntentQuestion } from "./intent-question.ts";
import { readAnswers, answeredSpec } from "./answers.ts";
import { scoreSpec } from "../../spec/score.ts";

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

test("an endless line of answers is read up to a limit", () => {
  const [answer = ""] = texts(`1: ${"x".repeat(100_000)}`);
  expect(answer.length).toBeLessThan(2_100);
});

const VAGUE = "Make it better";

function answered(spec: string, ...texts: readonly string[]): string {
  return answeredSpec(
    spec,
    texts.map((text, index) => ({ about: DIMENSIONS[index % 5] ?? "outcome", text })),
  );
}

function pointsOf(about: Dimension, text: string): number {
  return scoreSpec(answeredSpec(VAGUE, [{ about, text }]))[about];
}

describe("a spec with answers", () => {
  test("tells what each of them is about", () => {
    const text = answered(VAGUE, "GET /users answers faster", "src/api.ts", "none", "npm test", "PR merged");

    expect(text).toBe(
      "Make it better.\n\nOutcome: GET /users answers faster.\nScope: src/api.ts.\nBoundaries: none.\nChecking: `npm test` passes.\nEnding: Until PR merged.",
    );
  });

  test("collects what was answered to the same question later", () => {
    const answers = [
      { about: "scope", text: "The login form" },
      { about: "outcome", text: "It is faster" },
      { about: "scope", text: "src/login.ts" },
    ] as const;

    expect(answeredSpec(VAGUE, answers)).toBe(
      "Make it better.\n\nOutcome: It is faster.\nScope: The login form; src/login.ts.",
    );
  });
});

describe("the points of an answer", () => {
  test.each(["dunno", "No idea.", "whatever", "?", "none"])("%s earns none, however often", (word) => {
    for (const spec of [VAGUE, "Improve the login form", "Fix it.\n\n# Constraints\n\n- none"]) {
      const { total, questions } = scoreSpec(spec);
      const after = scoreSpec(answered(spec, ...Array<string>(10).fill(word)));

      expect(after).toMatchObject({ total, questions });
    }
  });

  test.each([
    ["scope", "src/api.ts", 2],
    ["scope", "Only src/api.ts and src/cache.ts.", 2],
    ["constraints", "no new dependencies", 2],
    ["success", "npm test", 1],
    ["success", "`npm test`.", 1],
    ["success", "npm test and npm run lint", 2],
    ["success", "./verify.sh", 1],
    ["success", "All tests pass", 1],
    ["done", "PR merged", 2],
    ["done", "When the build is green", 2],
    ["done", "done.txt exists", 2],
    ["done", "coverage is over 90 %", 2],
    ["done", "Done when the PR is merged", 2],
    ["done", "it works", 1],
  ] as const)("%s gets its points for: %s", (about, text, points) => {
    expect(pointsOf(about, text)).toBe(points);
  });
});
