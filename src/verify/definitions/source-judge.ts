import type { Family } from "./test-files.ts";

/** What can be wrong with source without a test being wrong: its types, its rules, its form, that it builds, that tests reach it. */
export const MISTAKES = ["types", "rules", "form", "build", "coverage"] as const;
export type Mistake = (typeof MISTAKES)[number];

/** A linter, a type checker, a formatter, a build or a coverage threshold: what it reports, and in which language. */
export interface SourceJudge {
  readonly reports: Mistake;
  /** null: in any. */
  readonly language: Family | null;
}

const MEASURES = /\b(?:c8|nyc|tarpaulin|llvm-cov)\b|--?\S*cov|\bcoverage\b/;
const ALWAYS_MEASURES = /--cov\b|\bcollectCoverage\b|\benabled["']?\s*:\s*true\b/;
const THRESHOLD =
  /check-?coverage|coverage-?thresholds?|\bthresholds?\b|fail[-_]?under|--test-coverage-\w+|\bminimum_coverage\b/i;

/** Whether a call fails if tests reach too little of the source. */
export function hasCoverageThreshold(words: readonly string[], configs: readonly string[]): boolean {
  const line = words.join(" ");
  const measures = MEASURES.test(line) || configs.some((text) => ALWAYS_MEASURES.test(text));
  return measures && [line, ...configs].some((text) => THRESHOLD.test(text));
}
