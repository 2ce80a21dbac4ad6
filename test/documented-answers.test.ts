import { readFileSync } from "node:fs";
import { join } from "node:path";
import * as v from "valibot";
import { describe, expect, test } from "vitest";
import { counselQuestion } from "../src/core/questions/retry-advice.ts";
import { decomposeQuestion } from "../src/core/questions/decompose.ts";
import { intentAnswer } from "../src/core/questions/intent/intent-question.ts";
import { scoreAnswer } from "../src/core/questions/intent/model-scores.ts";
import { lightQuestion, thoroughQuestion } from "../src/core/questions/review/review-question.ts";
import { shapeAnswer, testAnswer } from "../src/core/questions/shape/shape-question.ts";

const DOCS = readFileSync(join(import.meta.dirname, "..", "docs", "rehearsal.md"), "utf8");
const ROW = /^\| `([\w-]+)\.json`.* \| `(\{.*\})` \|$/gm;

const diff = { text: "", files: [], unseen: [] };
const work = { spec: "x", demands: [], decisions: [], diff, commit: null };
const task = { id: "T-001", subject: "x", description: "", check: null };
const failed = { after: 1, failures: [], approaches: [], commit: null };
const SCHEMAS: { readonly [purpose: string]: v.GenericSchema } = {
  score: scoreAnswer,
  intent: intentAnswer,
  shape: shapeAnswer,
  test: testAnswer,
  decompose: decomposeQuestion({ spec: "x", shape: null, discovered: [], commit: null }).schema,
  counsel: counselQuestion(task, failed, [], "n").schema,
  "light-review": lightQuestion(work, 1, [], "n").schema,
  "thorough-review": thoroughQuestion(work, 1, [], "n").schema,
};

describe("the answers of a rehearsal, as docs/rehearsal.md has them", () => {
  const documented = [...DOCS.matchAll(ROW)].map(([, purpose = "", answer = ""]) => ({ purpose, answer }));

  test("there is one for each question", () => {
    expect(documented.map(({ purpose }) => purpose)).toEqual(Object.keys(SCHEMAS));
  });

  test.each(documented)("$purpose", ({ purpose, answer }) => {
    const schema = SCHEMAS[purpose] ?? v.never();
    expect(v.safeParse(schema, JSON.parse(answer)).issues).toBeUndefined();
    expect(v.safeParse(schema, {}).success).toBe(false);
  });
});
