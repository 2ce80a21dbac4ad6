import { readAva, readMocha, readRspec } from "./readers/mocha-ava-rspec.ts";
import { readClosingLines } from "./readers/closing-lines.ts";
import { readCargo } from "./readers/cargo.ts";
import { readGo } from "./readers/go.ts";
import { readJest } from "./readers/jest.ts";
import { readJunit } from "./readers/junit.ts";
import { readNodeSpec } from "./readers/node-test.ts";
import { readNodeTap, readTap } from "./readers/tap.ts";
import { readPlaywright } from "./readers/playwright.ts";
import { readPytest } from "./readers/pytest.ts";
import { readRspecJson } from "./readers/rspec-json.ts";
import { readUnittest } from "./readers/unittest.ts";
import { readVitest } from "./readers/vitest.ts";
import type { Reader, RunnerReport, TestReport } from "./test-report.ts";

const READERS: readonly Reader[] = [
  readNodeSpec,
  readTap,
  readNodeTap,
  readVitest,
  readJest,
  readMocha,
  readAva,
  readPlaywright,
  readPytest,
  readUnittest,
  readGo,
  readCargo,
  readRspec,
  readClosingLines,
];

/**
 * The test reports of the runners in an output; null if there are none.
 *
 * Tests can print all of this text too. If a runner marks its beginning, only the last summary before the next beginning counts,
 * and another one makes the report contradictory. If not, each summary is a separate report, and the number of reports reveals an
 * added one. A test that prints a whole report and ends the process is believed.
 */
export function readTestReport(output: string): TestReport | null {
  const plain = withoutPaint(output);
  const lines = linesOf(plain);
  const told = withoutEnclosed([...READERS.flatMap((read) => read(lines)), ...readRspecJson(plain)]);
  const reports = [...told, ...readJunit(plain).filter((report) => !isToldBy(told, report))];
  return reports.length === 0 ? null : together(reports, isShortened(lines));
}

/** Text between the beginning and the end of another runner's report was printed by its tests. */
function withoutEnclosed(reports: readonly RunnerReport[]): readonly RunnerReport[] {
  const inOrder = reports.toSorted((one, other) => one.from - other.from || other.to - one.to);
  /** For each runner, the report that reaches furthest of those that began so far. */
  const furthest = new Map<string, RunnerReport>();
  return inOrder.filter((report) => {
    const isEnclosed = [...furthest.values()].some((other) => encloses(other, report));
    const { isCutShort, runner, to } = report;
    if (!isCutShort && to > (furthest.get(runner)?.to ?? -1)) furthest.set(runner, report);
    return !isEnclosed;
  });
}

function encloses(outer: RunnerReport, inner: RunnerReport): boolean {
  const isWider = outer.to - outer.from > inner.to - inner.from;
  return outer.runner !== inner.runner && isWider && inner.to <= outer.to;
}

/** A runner that also prints XML reports the same tests twice. */
function isToldBy(told: readonly RunnerReport[], report: RunnerReport): boolean {
  return told.some((other) => casesOf(other) === casesOf(report));
}

function casesOf({ passed, failed, skipped, todo, errors }: RunnerReport): number {
  return passed + failed + skipped + todo + errors;
}

function together(reports: readonly RunnerReport[], isShortened: boolean): TestReport {
  const sum = (key: "passed" | "failed" | "skipped" | "todo" | "deselected" | "errors"): number =>
    reports.reduce((total, report) => total + report[key], 0);
  const isPartial =
    isShortened && reports.some(({ isCounted, isContradictory }) => isCounted || isContradictory);
  return {
    runner: [...new Set(reports.map(({ runner }) => runner))].join(" and "),
    unit: reports.some(({ unit }) => unit === "packages") ? "packages" : "tests",
    executed: sum("passed") + sum("failed"),
    passed: sum("passed"),
    failed: sum("failed"),
    skipped: sum("skipped"),
    todo: sum("todo"),
    deselected: sum("deselected"),
    errors: sum("errors"),
    names: isShortened ? null : namesOf(reports),
    reports: reports.length,
    withoutTests: reports.flatMap(({ withoutTests }) => withoutTests),
    isCutShort: !isPartial && reports.some((report) => report.isCutShort),
    isContradictory: !isPartial && reports.some((report) => report.isContradictory),
    isPartial,
  };
}

function namesOf(reports: readonly RunnerReport[]): readonly string[] | null {
  const counting = reports.filter(({ passed, failed }) => passed + failed > 0);
  if (counting.some(({ names }) => names === null)) return null;
  return counting.flatMap(({ names }) => names ?? []);
}

/** No line of a report is longer; a longer one counts as empty, so no pattern has to process it. */
const LONGEST_LINE = 1024;

// oxlint-disable-next-line no-control-regex -- what paints a terminal is exactly what is removed here
const PAINT = /\u001b\[[0-9;?]{0,32}[ -/]{0,4}[@-~]|\u001b\][^\u0007\u001b\n]{0,512}(?:\u0007|\u001b\\)/g;

const LEFT_OUT = /^\[… \d+ bytes left out …\]$/;

export function withoutPaint(output: string): string {
  return output.replace(PAINT, "");
}

/** The lines of an output without colours. A lone carriage return also ends a line, because progress bars overwrite theirs. */
function linesOf(plain: string): readonly string[] {
  return plain.split(/\r\n|\n|\r/).map((line) => (line.length > LONGEST_LINE ? "" : line));
}

/** Whether the middle of the output was left out. Also true if a test prints such a line. */
function isShortened(lines: readonly string[]): boolean {
  return lines.some((line) => LEFT_OUT.test(line));
}
