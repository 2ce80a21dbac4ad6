import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { limitsInWords } from "./limits-in-words.ts";
import { keptPlaces, statedConstraints } from "./stated-constraints.ts";

interface Labelled {
  readonly spec: string;
  /** Files and folders that must not change. */
  readonly keep: readonly string[];
  /** Files and folders beside which nothing changes. */
  readonly only: readonly string[];
  readonly dependencies: boolean;
  /** What nothing can watch, and people have to look at. */
  readonly words: readonly string[];
}

/** Sentences as people write them, labelled before they were read by the rules. */
const SENTENCES = readFileSync(new URL("../../../test/fixtures/limits.jsonl", import.meta.url), "utf8")
  .trim()
  .split("\n")
  .map((line) => JSON.parse(line) as Labelled);

test.each(SENTENCES)("what $spec lets the machine watch", ({ spec, keep, only, dependencies, words }) => {
  const stated = statedConstraints(spec);
  expect(keptPlaces(spec)).toEqual(keep);
  expect(stated.flatMap((each) => (each.kind === "only" ? each.places : []))).toEqual(only);
  expect(stated.some(({ kind }) => kind === "dependencies")).toBe(dependencies);
  const said = [...limitsInWords(spec), ...stated.map((each) => each.words)].join("\n").toLowerCase();
  for (const each of words) expect(said).toContain(each.toLowerCase());
});

test.each(SENTENCES.filter(({ words, keep }) => words.length + keep.length === 0))(
  "nothing else has to hold: $spec",
  ({ spec }) => {
    expect(limitsInWords(spec)).toEqual([]);
  },
);
