import * as v from "valibot";
import { describe, expect, test } from "vitest";
import { scoreSpec } from "../../spec/score.ts";
import type { ProjectFacts } from "../question.ts";
import { answeredSpec, answersAfter, correctedSpec } from "./answers.ts";
import {
  choicesFrom,
  summaryOfModel,
  intentAnswer,
  withProposals,
  CLEAR_ALREADY,
  gapQuestions,
  weakQuestions,
} from "./intent-question.ts";
import {
  intentSummaryOf,
  isTooVague,
  shapeOfWorkflow,
  countedScores,
  gapsBetween,
  scoreAnswer,
} from "./model-scores.ts";

const VAGUE = "Make the cart better";
const facts: ProjectFacts = {
  checks: [
    { name: "tests pass", command: "npm run test" },
    { name: "lint clean", command: "npm run lint" },
  ],
  checkFolder: null,
  files: ["README.md", "package.json", "src/cart.js", "src/list.js", "test/cart.test.js", "web/page.js"],
};
const NOTHING: ProjectFacts = { checks: [], checkFolder: null, files: [] };

describe("proposals from the project's own facts", () => {
  test("name its commands and files, and the first of each make a vague spec clear", () => {
    const choices = choicesFrom(VAGUE, facts);
    expect(choices("scope")).toEqual(["Only src/cart.js", "Only files in src/", "Only files in web/"]);
    expect(choices("success")[0]).toBe("`npm run test` and `npm run lint` pass");

    const answers = weakQuestions(scoreSpec(VAGUE), choices).map(({ about, choices: [text = ""] }) => ({
      about,
      text,
    }));
    expect(answers).toHaveLength(5);
    expect(scoreSpec(answeredSpec(VAGUE, answers)).total).toBeGreaterThanOrEqual(8);
  });

  test("exist without any, but for the place", () => {
    const questions = weakQuestions(scoreSpec(VAGUE), choicesFrom(VAGUE, NOTHING));
    expect(questions.filter(({ choices }) => choices.length === 0).map(({ about }) => about)).toEqual([
      "scope",
    ]);
  });
});

describe("a model's scores", () => {
  const spec = "Fix total() in src/cart.js\nuntil npm test passes";
  const of = (dimension: string, points: number, quote: string): object => ({ dimension, points, quote });
  const counted = (...scores: readonly object[]): ReturnType<typeof countedScores> =>
    countedScores(spec, v.parse(scoreAnswer, { scores }));

  test("count only with words of the spec", () => {
    expect(
      counted(of("scope", 2, "in SRC/cart.js  until"), of("done", 2, "PR merged"), of("success", 1, " ")),
    ).toEqual([
      { dimension: "scope", points: 2, quote: "in SRC/cart.js  until" },
      { dimension: "success", points: 0, quote: "" },
      { dimension: "done", points: 0, quote: "" },
    ]);
  });

  test("of one dimension given twice, the lower one counts", () => {
    expect(counted(of("scope", 2, "src/cart.js"), of("scope", 1, "cart.js"))).toMatchObject([{ points: 1 }]);
  });

  test.each([
    [{ scores: [of("beauty", 2, "x")] }],
    [{ scores: [of("scope", 3, "x")] }],
    [{ scores: [of("scope", 2, "x".repeat(1_000))] }],
    [{ scores: Array.from({ length: 50 }, () => of("scope", 1, "x")) }],
    [{}],
  ])("%j isn't an answer", (answer) => {
    expect(v.safeParse(scoreAnswer, answer).success).toBe(false);
  });

  test("far from the rubric's are asked about, and may be waved through", () => {
    const score = scoreSpec(spec);
    const gaps = gapsBetween(score, counted(of("scope", 0, ""), of("outcome", 1, "Fix total()")));
    expect(gaps).toEqual([{ about: "scope", rubric: 2, model: 0, quote: "" }]);
    const [question] = gapQuestions(gaps, () => ["Only src/"]);
    expect(question).toMatchObject({ about: "scope", choices: [CLEAR_ALREADY, "Only src/"] });
    expect(question?.text).toContain("the rubric gives it 2 of 2, the model 0");
  });
});

describe("a model's reading", () => {
  const answer = v.parse(intentAnswer, {
    choices: [
      { dimension: "scope", proposals: ["src/\u001b[31mcart.js", "a\nb", "c", "d", "e"] },
      { dimension: "done", proposals: ["never asked"] },
    ],
    deliverable: "A total\nthat adds up",
    firstFact: "x".repeat(900),
    hardestConstraint: "none stated",
  });

  test("puts its proposals in front of the project's, one line each, and adds no question", () => {
    const questions = [{ about: "scope", text: "Where?", choices: ["Only src/", "c"] }] as const;
    expect(withProposals(questions, answer)).toEqual([
      { about: "scope", text: "Where?", choices: ["src/cart.js", "a b", "c", "Only src/"] },
    ]);
  });

  test("is shown in one line each", () => {
    const echo = summaryOfModel(answer);
    expect(echo.deliverable).toBe("A total that adds up");
    expect(echo.firstFact.length).toBeLessThanOrEqual(200);
  });
});

test("the echo is in the spec's own words", () => {
  const spec = "Fix total() in src/cart.js without new dependencies until npm test passes";
  const echo = { spec, score: scoreSpec(spec), answers: [], mustNots: [], firstCheck: null };
  expect(intentSummaryOf(echo)).toEqual({
    deliverable: "Fix total() in src/cart.js",
    firstFact: "npm test passes",
    hardestConstraint: "without new dependencies",
  });
  const mustNots = [{ kind: "path", glob: "docs/**" }] as const;
  expect(intentSummaryOf({ ...echo, mustNots, firstCheck: "tests pass" })).toMatchObject({
    firstFact: "tests pass",
    hardestConstraint: "docs/** must not change",
  });
});

test("the echo of a vague spec says what its answers ask for", () => {
  const answers = [
    { about: "scope", text: "only slug in src/slug.js" },
    { about: "outcome", text: "`npm test` passes." },
    { about: "constraints", text: "no new dependencies" },
  ] as const;
  const spec = answeredSpec("Make the kit better", answers);
  const echo = intentSummaryOf({ spec, score: scoreSpec(spec), answers, mustNots: [], firstCheck: null });
  expect(echo).toMatchObject({
    deliverable: "Make the kit better; `npm test` passes; only slug in src/slug.js",
    hardestConstraint: "no new dependencies",
  });
});

describe("what was meant instead", () => {
  const words = "Make slug in src/slug.js pass, without touching test/";

  test("takes the place of a sentence, and goes on top of anything longer", () => {
    expect(correctedSpec("Make slug, wrap and count work", words)).toBe(words);
    const long = "# Kit\n\n- [ ] slug\n- [ ] wrap\n";
    const spec = correctedSpec(long, words);
    expect(spec.startsWith(`${words}\n`)).toBe(true);
    expect(spec.endsWith(long)).toBe(true);
    expect(
      intentSummaryOf({ spec, score: scoreSpec(spec), answers: [], mustNots: [], firstCheck: null }),
    ).toMatchObject({
      deliverable: "Make slug in src/slug.js pass",
    });
  });

  test("what is said between the two earns no points", () => {
    const long = "Make it better\n\nsomehow";
    expect(scoreSpec(correctedSpec(long, "Make it nicer"))).toMatchObject({ total: scoreSpec(long).total });
  });

  test("leaves the answers that it doesn't speak of", () => {
    const answers = [
      { about: "outcome", text: "It is faster" },
      { about: "scope", text: "Only files in src/" },
      { about: "constraints", text: "no new dependencies" },
      { about: "done", text: "PR merged" },
    ] as const;
    expect(answersAfter(words, answers).map(({ about }) => about)).toEqual(["done"]);
  });
});

describe("the shape of a workflow", () => {
  const clear = "Fix total() in src/cart.js, no new dependencies, until npm test passes";
  const scored = (spec: string, part: object = {}): Parameters<typeof isTooVague>[0] => ({
    score: scoreSpec(spec),
    familiarity: 0,
    insisted: null,
    hasCheck: false,
    ...part,
  });

  test("comes from the fit, which familiarity raises", () => {
    const middling = { ...scored(VAGUE), score: { ...scoreSpec(VAGUE), total: 5 } };
    expect(shapeOfWorkflow(scored(clear), true)).toBe("tool");
    expect(shapeOfWorkflow(middling, true)).toBe("colleague");
    expect(shapeOfWorkflow({ ...middling, familiarity: 5 }, true)).toBe("tool-review");
  });

  test.each<readonly [title: string, scored: Parameters<typeof isTooVague>[0], isVague: boolean]>([
    ["a vague spec", scored(VAGUE), true],
    ["a vague spec with a check", scored(VAGUE, { hasCheck: true }), false],
    ["a vague spec that somebody insists on", scored(VAGUE, { insisted: "tool" }), false],
    ["a clear one that should ask first", scored(clear, { insisted: "blocked" }), true],
    ["a clear one", scored(clear), false],
    ["a vague one about something familiar", scored(VAGUE, { familiarity: 10 }), true],
  ])("asks first where the spec is too vague for work: %s", (_, each, isVague) => {
    expect(isTooVague(each)).toBe(isVague);
  });

  test("with nobody to ask it asks nothing; with a check a vague one asks a lot", () => {
    expect(shapeOfWorkflow(scored(VAGUE), false)).toBe("tool");
    expect(shapeOfWorkflow(scored(VAGUE, { hasCheck: true }), true)).toBe("colleague");
  });
});
