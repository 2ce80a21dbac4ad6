import { expect, test } from "vitest";
import { finding } from "../../../../test/support/stage-builders.ts";
import { disagrees, heardPanel, type Answered } from "./panel.ts";

function answered(perspective: string, part: Partial<Answered> = {}): Answered {
  return { perspective, score: 8, findings: [], dropped: [], agent: "claude-code", failure: null, ...part };
}

test("a panel is as sure as its most doubtful member, and each keeps its own score", () => {
  const { score, panel } = heardPanel([
    answered("correctness", { score: 9 }),
    answered("security", { score: 3, findings: [finding("F-1")] }),
  ]);
  expect(score).toBe(3);
  expect(panel).toEqual([
    { perspective: "correctness", score: 9, issues: 0, failure: null },
    { perspective: "security", score: 3, issues: 1, failure: null },
  ]);
  expect(disagrees(panel)).toBe(true);
  expect(disagrees(heardPanel([answered("tests"), answered("data", { score: 10 })]).panel)).toBe(false);
});

test("what several hold against one line is one finding, and each of the others keeps a name of its own", () => {
  const first = finding("F-1", { severity: "WARNING", quote: "a()", perspective: "correctness" });
  const second = finding("F-1", { severity: "BLOCKER", quote: "b()", perspective: "tests" });
  const { findings } = heardPanel([
    answered("correctness", { findings: [first] }),
    answered("tests", { findings: [second, { ...first, perspective: "tests", id: "F-2" }] }),
  ]);
  expect(findings.map(({ id, quote, perspective }) => [id, quote, perspective])).toEqual([
    ["F-1", "b()", "tests"],
    ["F-2", "a()", "correctness"],
  ]);
});

test("a member without an answer takes nothing from the others; without any there is no review", () => {
  const lost = { score: 0, agent: null, failure: "it did not answer" };
  const some = heardPanel([answered("correctness", lost), answered("tests", { score: 7 })]);
  expect(some).toMatchObject({ score: 7, failure: null, panel: [{ score: null }, { score: 7 }] });
  expect(heardPanel([answered("correctness", lost)])).toMatchObject({
    score: null,
    failure: "it did not answer",
  });
});
