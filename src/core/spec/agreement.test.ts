import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { scoreSpec } from "./score.ts";
import { plainShape, type PlainShape } from "./shape.ts";
import { DIMENSIONS, type Dimension, type Points } from "./rule.ts";

type Labelled = Readonly<Record<Dimension, Points>> & {
  readonly spec: string;
  readonly total: number;
  readonly band: PlainShape;
  /** How the spec came to be: "held-out" ones were never looked at while rules were written. */
  readonly set?: string;
};

function readLabelled(name: string): Labelled[] {
  const text = readFileSync(new URL(`../../../test/fixtures/${name}`, import.meta.url), "utf8");
  return text
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as Labelled);
}

function measure(labelled: readonly Labelled[]) {
  const scored = labelled.map((row) => ({ row, score: scoreSpec(row.spec) }));
  const singles = scored.flatMap(({ row, score }) => DIMENSIONS.filter((name) => score[name] === row[name]));
  const bands = scored
    .filter(({ row, score }) => plainShape(score.total) !== row.band)
    .map(({ row }) => row.spec);
  return {
    bands,
    singleShare: singles.length / (labelled.length * DIMENSIONS.length),
    bandShare: 1 - bands.length / labelled.length,
  };
}

const FILES = [
  "rubric-examples.jsonl",
  "rubric-own.jsonl",
  "rubric-tickets.jsonl",
  "rubric-written.jsonl",
  "rubric-further.jsonl",
];
const EVERYTHING = FILES.flatMap(readLabelled);

describe("agreement with labelled specs", () => {
  test("the labelled examples agree in 95 % of the single scores and in every band", () => {
    const { singleShare, bands } = measure(readLabelled("rubric-examples.jsonl"));
    expect(singleShare).toBeGreaterThanOrEqual(0.95);
    expect(bands).toEqual([]);
  });

  test("our own specs agree in 90 % of the single scores and of the bands", () => {
    const { singleShare, bandShare } = measure(readLabelled("rubric-own.jsonl"));
    expect(singleShare).toBeGreaterThanOrEqual(0.9);
    expect(bandShare).toBeGreaterThanOrEqual(0.9);
  });

  test("all labelled specs together agree in 92 % of the single scores and of the bands", () => {
    const { singleShare, bandShare } = measure(EVERYTHING);
    expect(singleShare).toBeGreaterThanOrEqual(0.92);
    expect(bandShare).toBeGreaterThanOrEqual(0.92);
  });

  test("those that no rule was written for agree in 85 % of the single scores and 92 % of the bands", () => {
    const { singleShare, bandShare } = measure(EVERYTHING.filter((row) => row.set === "held-out"));
    expect(singleShare).toBeGreaterThanOrEqual(0.85);
    expect(bandShare).toBeGreaterThanOrEqual(0.92);
  });

  test("a wrong band is as rarely too high as 1 in 20", () => {
    const tooHigh = EVERYTHING.filter((row) => {
      const { total } = scoreSpec(row.spec);
      return total > row.total && plainShape(total) !== row.band;
    });
    expect(tooHigh.length / EVERYTHING.length).toBeLessThanOrEqual(0.05);
  });

  test("no spec that asks to be clarified runs by itself", () => {
    const silent = EVERYTHING.filter(
      (row) => row.band === "intent" && plainShape(scoreSpec(row.spec).total) === "tool",
    );
    expect(silent).toEqual([]);
  });

  test.each(FILES)("the labels of %s add up", (name) => {
    const labelled = readLabelled(name);
    expect(new Set(labelled.map((row) => row.spec)).size).toBe(labelled.length);
    for (const row of labelled) {
      const total = DIMENSIONS.reduce((sum, dimension) => sum + row[dimension], 0);
      expect(row).toMatchObject({ total, band: plainShape(total) });
    }
  });
});
