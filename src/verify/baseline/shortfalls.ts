import type { Before, CheckChanges, DefinitionChanged, Shortfall } from "../../core/loop/proof.ts";
import { nameOfDefinition } from "../definitions/definition.ts";
import { compareReports, isOnlyBeginning, ranNothing } from "../reports/compare-reports.ts";
import type { CountDifference } from "../reports/compare-reports.ts";
import { withPlainFiles, type TestReport } from "../reports/test-report.ts";
import type { ComparedCheck } from "./compare.ts";
import type { Baseline } from "./baseline-record.ts";

/** A check's own run. */
export interface OwnRun {
  readonly report: TestReport | null;
  readonly altersFiles: boolean;
}

/** What a check's definitions and its report show beside its result. */
export function checkChanges(
  { baseline, changes, doubts, plainTests: plain, sourceJudges }: ComparedCheck,
  { report: own, altersFiles }: OwnRun,
  isExempt: (path: string) => boolean,
): CheckChanges {
  const report = withPlainFiles(own, plain);
  const before = beforeOf(baseline, report);
  const found = shortfallsOf(baseline, report, before);
  return {
    before,
    definitions: changes.map((each): DefinitionChanged => ({
      name: nameOfDefinition(each),
      path: each.path,
      isTest: each.kind !== "script" && each.kind !== "config" && each.kind !== "built",
      change: each.change,
      isExempt: isExempt(each.path),
    })),
    shortfalls: doubts.length === 0 ? found : [...(found ?? []), ...doubts],
    altersFiles,
    judgesSource: sourceJudges.length > 0,
  };
}

/** The shell's exit codes for a program that cannot be executed or found. */
export const CANNOT_RUN: ReadonlySet<number> = new Set([126, 127]);

function beforeOf({ start, meaning }: Baseline, report: TestReport | null): Before {
  if (start === null) return "unknown";
  if (start.passed) return "green";
  if (start.isAgents) return "unknown";
  const isTold = start.report !== null && !isOnlyBeginning(start.report);
  const isSilent = !isTold && meaning?.runsTests === true;
  const neverRan = start.neverBegan || start.exitCode === null || CANNOT_RUN.has(start.exitCode);
  return neverRan || isSilent || ranNothing(start.report, report) ? "unrun" : "red";
}

const UNCLEAR = new Set<CountDifference["kind"]>(["other-names", "partial", "more-reports"]);

const OF_NUMBERS = new Set<CountDifference["kind"]>([
  "fewer",
  "more-skipped",
  "without-tests",
  "other-names",
  "more-reports",
]);

function shortfallsOf(
  { start, meaning }: Baseline,
  report: TestReport | null,
  before: Before,
): readonly Shortfall[] | null {
  const then = start?.report ?? null;
  if (then === null && report === null) {
    if (meaning?.runsTests !== true || before === "green" || before === "red") return null;
    const text = "It runs tests but prints no report that can be read.";
    return [{ text, isClear: false, isOfNumbers: false, isUnread: true }];
  }
  return [
    ...compareReports(then, report)
      .filter(({ isNew }) => isNew)
      .map(({ kind, text }) => ({ text, isClear: !UNCLEAR.has(kind), isOfNumbers: OF_NUMBERS.has(kind) })),
    ...failedAllTheSame(report).map((text) => ({ text, isClear: before !== "green", isOfNumbers: false })),
  ];
}

/**
 * For a check that passed: a failed test should have failed it. If it was the same at the opening, it may be intended, such as a
 * retry.
 */
function failedAllTheSame(report: TestReport | null): readonly string[] {
  if (report === null || report.failed === 0) return [];
  const failed = report.failed === 1 ? "1 test" : `${report.failed} tests`;
  return [
    `It passes although ${report.runner} reports that ${failed} failed: something hides the exit code.`,
  ];
}

/** What the report of a passing run with the opening's tests lacks; null where nothing is. */
export interface BaselineShortfall {
  readonly clear: string | null;
  readonly unclear: string | null;
}

export function shortfallOfBaseline(
  { baseline: { start }, plainTests: plain }: Pick<ComparedCheck, "baseline" | "plainTests">,
  own: TestReport | null,
): BaselineShortfall {
  const report = withPlainFiles(own, plain);
  const found = compareReports(start?.report ?? null, report).filter(({ isNew }) => isNew);
  const joined = (texts: readonly string[]): string | null => (texts.length === 0 ? null : texts.join(" "));
  return {
    clear: joined([
      ...found.filter(({ kind }) => !UNCLEAR.has(kind)).map(({ text }) => text),
      ...(start?.passed === true ? [] : failedAllTheSame(report)),
    ]),
    unclear: joined(found.filter(({ kind }) => UNCLEAR.has(kind)).map(({ text }) => text)),
  };
}
