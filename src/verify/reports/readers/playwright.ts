import { type Reader, type RunnerReport, runnerReport } from "../test-report.ts";

const BEGINNING = /^Running (\d{1,9}) tests? using \d+ workers?/;
const COUNT = /^ {2}(\d{1,9}) (passed|failed|flaky|skipped|did not run|interrupted)(?: \([\d.]+m?s?h?\))?$/;
const NOTHING = /^Error: No tests found\.?$/;
const RESULT = /^ {2}(✓|✘|ok|x) +\d+ (.*?)(?: \([\d.]+m?s\))?$/;
/** The position of a test in its file changes with every edit, so it isn't part of its name. */
const POSITION = /:\d+:\d+ › /;

interface Session {
  readonly from: number;
  readonly planned: number;
  readonly names: string[];
  readonly counts: Map<string, number>;
  to: number;
  isContradictory: boolean;
}

/** Begins with "Running N tests"; the last of each count before the next beginning is the runner's. */
export const readPlaywright: Reader = (lines) => {
  const reports: RunnerReport[] = [];
  let session: Session | null = null;
  for (const [line, text] of lines.entries()) {
    const planned = BEGINNING.exec(text)?.[1];
    if (planned !== undefined) {
      if (session !== null) reports.push(closed(session, line - 1));
      const counts = new Map<string, number>();
      session = { from: line, planned: Number(planned), names: [], counts, to: line, isContradictory: false };
    } else if (session !== null) notice(text, line, session);
    else if (NOTHING.test(text))
      reports.push(runnerReport({ runner: "playwright", from: line, to: line, errors: 1 }));
  }
  if (session !== null) reports.push(closed(session, lines.length - 1));
  return reports;
};

function notice(text: string, line: number, session: Session): void {
  const name = RESULT.exec(text)?.[2];
  if (name !== undefined) session.names.push(name.replace(POSITION, " > "));
  const [, number, word] = COUNT.exec(text) ?? [];
  if (number === undefined || word === undefined) return;
  if (session.counts.has(word)) session.isContradictory = true;
  session.counts.set(word, Number(number));
  session.to = line;
}

function closed(session: Session, lastLine: number): RunnerReport {
  const { from, counts, names, planned } = session;
  if (counts.size === 0) return runnerReport({ runner: "playwright", from, to: lastLine, isCutShort: true });
  const of = (word: string): number => counts.get(word) ?? 0;
  const told = [...counts.values()].reduce((sum, count) => sum + count, 0);
  return runnerReport({
    runner: "playwright",
    from,
    to: session.to,
    passed: of("passed") + of("flaky"),
    failed: of("failed") + of("interrupted"),
    skipped: of("skipped"),
    errors: of("did not run"),
    names,
    isContradictory: session.isContradictory || told > planned,
  });
}
