import { oneLine } from "../../system/text/plain-text.ts";
import type { TestReport } from "./test-report.ts";

/** Something about the executed tests that a green check doesn't show, in a sentence. */
export interface CountDifference {
  readonly kind:
    | "missing"
    | "cut-short"
    | "contradictory"
    | "partial"
    | "none"
    | "fewer"
    | "other-names"
    | "more-skipped"
    | "without-tests"
    | "more-reports";
  readonly text: string;
  /** False if it was already so at the opening, as far as known. */
  readonly isNew: boolean;
}

const MOST_NAMED = 5;
const LONGEST_NAME = 120;

/** What a check's output says now that it did not say at the opening. */
export function compareReports(
  baseline: TestReport | null,
  now: TestReport | null,
): readonly CountDifference[] {
  if (now === null) return baseline === null || isOnlyBeginning(baseline) ? [] : [missing(baseline)];
  const ofNow = [...soundness(baseline, now), ...noneExecuted(baseline, now)];
  if (baseline === null || baseline.isPartial || now.isPartial || baseline.unit !== now.unit) return ofNow;
  return [
    ...ofNow,
    ...fewerExecuted(baseline, now),
    ...moreSkipped(baseline, now),
    ...withoutTests(baseline, now),
    ...moreReports(baseline, now),
  ];
}

/**
 * Whether the opening ran no tests at all: a module was missing, a file could not be parsed. Unknown for a check that never
 * reports tests.
 */
export function ranNothing(baseline: TestReport | null, now: TestReport | null): boolean {
  if (baseline === null || isOnlyBeginning(baseline)) return now !== null && !isOnlyBeginning(now);
  return baseline.executed === 0;
}

/** Lines that begin a report, and no test: what a runner prints that dies early, but also what other programs print. */
export function isOnlyBeginning({ isCutShort, executed, skipped, todo, errors }: TestReport): boolean {
  return isCutShort && executed + skipped + todo + errors === 0;
}

function missing(baseline: TestReport): CountDifference {
  const told = counted(baseline.executed, baseline);
  return found(
    "missing",
    `The output has no test report; at the opening ${baseline.runner} reported ${told}. ` +
      "The process may have ended before its tests did.",
  );
}

function soundness(baseline: TestReport | null, now: TestReport): readonly CountDifference[] {
  const { runner } = now;
  const isNew = (key: "isCutShort" | "isContradictory" | "isPartial"): boolean => baseline?.[key] !== true;
  const findings: CountDifference[] = [];
  if (now.isCutShort) {
    const text = `The report of ${runner} starts but doesn't end: the process ended before its tests did.`;
    findings.push(found("cut-short", text, isNew("isCutShort")));
  }
  if (now.isContradictory) {
    const text = `The report of ${runner} contradicts itself: something prints lines that look like the runner's.`;
    findings.push(found("contradictory", text, isNew("isContradictory")));
  }
  if (now.isPartial) {
    const text = `The output is too long to count the tests of ${runner}: its middle was left out.`;
    findings.push(found("partial", text, isNew("isPartial")));
  }
  return findings;
}

function noneExecuted(baseline: TestReport | null, now: TestReport): readonly CountDifference[] {
  if (now.executed > 0 || now.isPartial) return [];
  const before = baseline?.executed ?? 0;
  const wasSo = baseline !== null && before === 0 && baseline.errors === 0;
  const compared = before === 0 ? "" : `; at the opening there were ${before}`;
  return [found("none", `No test was executed${compared}.`, !wasSo)];
}

function fewerExecuted(baseline: TestReport, now: TestReport): readonly CountDifference[] {
  const vanished =
    baseline.names === null || now.names === null ? [] : vanishedNames(baseline.names, now.names);
  const which = vanished.length === 0 ? "" : ` Not executed now: ${listed(vanished)}.`;
  if (now.executed < baseline.executed) {
    if (now.executed === 0 && which === "") return [];
    const text = `${counted(now.executed, now)} executed, ${baseline.executed} at the opening.${which}`;
    return [found("fewer", text)];
  }
  if (vanished.length === 0) return [];
  const text = `${counted(vanished.length, now)} of the opening not executed, although others were: ${listed(vanished)}.`;
  return [found("other-names", text)];
}

/**
 * Tests that are made in a loop may be named after the time or a random number, and some after the module or the file that they are
 * in. As many as went came again under names that differ in such values alone, or in where they are.
 */
function vanishedNames(before: readonly string[], now: readonly string[]): readonly string[] {
  const vanished = withoutOnce(before, now);
  const left = withoutOnce(now, before).map(inShort);
  return vanished.filter((name) => {
    const at = left.indexOf(inShort(name));
    if (at !== -1) left.splice(at, 1);
    return at === -1;
  });
}

/** Long numbers and moments; the small numbers of "adds 1" and "adds 2" tell tests apart. */
const VALUES =
  /\b(?:\d{4}-\d\d-\d\d(?:[T ][\d:.]{5,15}Z?)?|\d*\.\d{4,}(?:e-?\d+)?|\d{7,}|(?=[a-f]*\d)[0-9a-f]{8,}(?:-[0-9a-f]{4,}){0,4})\b/gi;

/** The modules and files of `store::ring::tests::trims`. */
const PLACE = /^(?:[\w./-]+::)+(?=[^:\s])/;

function inShort(name: string): string {
  return name.replaceAll(VALUES, "#").replace(PLACE, "::");
}

function moreSkipped(baseline: TestReport, now: TestReport): readonly CountDifference[] {
  const before = leftOut(baseline);
  const after = leftOut(now);
  if (after <= before) return [];
  const kinds = (["skipped", "todo", "deselected"] as const).filter((kind) => now[kind] > baseline[kind]);
  const text = `${counted(after, now)} left out, ${before} at the opening: more are ${kinds.join(" and ")}.`;
  return [found("more-skipped", text)];
}

function withoutTests(baseline: TestReport, now: TestReport): readonly CountDifference[] {
  const added = withoutOnce(now.withoutTests, baseline.withoutTests);
  if (added.length === 0) return [];
  const text = `Passed without a single test, unlike at the opening: ${listed(added)}.`;
  return [found("without-tests", text)];
}

function moreReports(baseline: TestReport, now: TestReport): readonly CountDifference[] {
  if (now.reports <= baseline.reports || gotFurther(baseline, now)) return [];
  const text = `The output has ${now.reports} test reports, ${baseline.reports} at the opening: a test may print one of them.`;
  return [found("more-reports", text)];
}

/**
 * A check of several programs, such as `make test`, stops behind the first one whose tests fail. Once all of them pass, by their
 * names, what is behind it reports for the first time.
 */
function gotFurther(baseline: TestReport, now: TestReport): boolean {
  if (baseline.failed === 0 || now.failed > 0) return false;
  if (baseline.names === null || now.names === null) return false;
  return vanishedNames(baseline.names, now.names).length === 0;
}

function found(kind: CountDifference["kind"], text: string, isNew = true): CountDifference {
  return { kind, text, isNew };
}

function leftOut({ skipped, todo, deselected }: TestReport): number {
  return skipped + todo + deselected;
}

function counted(count: number, { unit }: TestReport): string {
  return `${count} ${count === 1 ? unit.slice(0, -1) : unit}`;
}

/** What occurs more often in the first list than in the second. */
function withoutOnce(all: readonly string[], others: readonly string[]): readonly string[] {
  const left = new Map<string, number>();
  for (const name of others) left.set(name, (left.get(name) ?? 0) + 1);
  return all.filter((name) => {
    const count = left.get(name) ?? 0;
    left.set(name, count - 1);
    return count <= 0;
  });
}

function listed(names: readonly string[]): string {
  const shown = names.slice(0, MOST_NAMED).map((name) => `"${oneLine(name, LONGEST_NAME)}"`);
  const more = names.length - shown.length;
  return more === 0 ? shown.join(", ") : `${shown.join(", ")} and ${more} more`;
}

/**
 * For a failed run: it ran no test, or only files that could not be loaded failed. Those miss something that doesn't exist and
 * say nothing about what does. `own`: the report of the check's own run. A check that never reports tests has its exit code.
 */
export function hasRunNothing(report: TestReport | null, own: TestReport | null): boolean {
  const isReported = own !== null && !isOnlyBeginning(own);
  if (report === null || isOnlyBeginning(report)) return isReported;
  return report.failed === 0 && (report.errors > 0 || report.executed === 0);
}
