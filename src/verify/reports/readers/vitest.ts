import { countsByWord, type Reader, type RunnerReport, runnerReport } from "../test-report.ts";

const BEGINNING = /^ (?:RUN|DEV) +v\d/;
const TESTS = /^ +Tests {2}(?:(.*) \(\d+\)|no tests)$/;
const FAILED_FILES = /^⎯+ Failed Suites (\d+) ⎯+$/;
const NO_FILES = /^No test files found, exiting with code \d/;
const RESULT = /^ (✓|×|✗) (.+ > .+)$/;
const DURATION = / +\d+m?s$/;

interface Session {
  readonly from: number;
  readonly names: string[];
  counts: ReadonlyMap<string, number> | null;
  to: number;
  errors: number;
  summaries: number;
}

/** A report begins with " RUN  v…"; its last line of counts is used, since what tests print comes before it. */
export const readVitest: Reader = (lines) => {
  const reports: RunnerReport[] = [];
  let session: Session | null = null;
  for (const [line, text] of lines.entries()) {
    if (BEGINNING.test(text)) {
      if (session !== null) reports.push(closed(session, line - 1));
      session = { from: line, names: [], counts: null, to: line, errors: 0, summaries: 0 };
    } else if (session !== null) notice(text, line, session);
  }
  if (session !== null) reports.push(closed(session, lines.length - 1));
  return reports;
};

function notice(text: string, line: number, session: Session): void {
  const name = RESULT.exec(text)?.[2];
  if (name !== undefined) session.names.push(name.replace(DURATION, ""));
  session.errors += Number(FAILED_FILES.exec(text)?.[1] ?? 0);
  const tests = NO_FILES.test(text) ? ["", undefined] : TESTS.exec(text);
  if (tests === null) return;
  const counts = tests[1] === undefined ? new Map<string, number>() : countsByWord(tests[1], " | ");
  if (counts === null) return;
  session.counts = counts;
  session.to = line;
  session.summaries += 1;
}

function closed(session: Session, lastLine: number): RunnerReport {
  const { from, counts, names, errors } = session;
  if (counts === null) return runnerReport({ runner: "vitest", from, to: lastLine, isCutShort: true });
  return runnerReport({
    runner: "vitest",
    from,
    to: session.to,
    passed: counts.get("passed") ?? 0,
    failed: counts.get("failed") ?? 0,
    skipped: counts.get("skipped") ?? 0,
    todo: (counts.get("todo") ?? 0) + (counts.get("expected fail") ?? 0),
    errors,
    names,
    isContradictory: session.summaries > 1,
  });
}
