import { countsByWord, type Reader, type RunnerReport, runnerReport } from "../test-report.ts";

const BEGINNING = /^=+ test session starts =+$/;
const COLLECTED = /^(?:collecting \.\.\. )?collected (\d+) items?/;
const SUMMARY = /^(?:=+ )?(\d.*|no tests ran) in [\d.]+s(?: \([\d:]+\))?(?: =+)?$/;
const RESULT = /^(\S.*) (PASSED|FAILED) *(?:\[ *\d+%\])?$/;
/** With -rA, and with results of several workers. */
const RESULT_FIRST = /^(?:\[gw\d+\] \[ *\d+%\] )?(?:PASSED|FAILED) (\S.*?)(?: - .*)?$/;
/** With -qq nothing but this says which tests ran. */
const PROGRESS = /^([.FEsxXR]+) +\[ *(\d{1,3})%\]$/;
const WORDS = new Set(
  "passed failed skipped deselected xfailed xpassed warning warnings error errors rerun".split(" "),
);

interface Session {
  readonly from: number;
  collected: number;
  readonly names: string[];
  readonly namesInSummary: string[];
  summary: { counts: ReadonlyMap<string, number>; line: number } | null;
  summaries: number;
  /** A mark for each test, and how far that is. */
  marks: string;
  percent: number;
  marksTo: number;
}

/** A session begins with its header (not with -q) and ends with the last summary before the next one. */
export const readPytest: Reader = (lines) => {
  const reports: RunnerReport[] = [];
  let session: Session | null = null;
  let quiet = opened(0);

  for (const [line, text] of lines.entries()) {
    if (BEGINNING.test(text)) {
      reports.push(...marked(quiet));
      quiet = opened(line);
      if (session !== null) reports.push(closed(session, line - 1));
      session = opened(line);
      continue;
    }
    if (session === null && quiet.percent === 100 && PROGRESS.test(text)) {
      reports.push(...marked(quiet));
      quiet = opened(line);
    }
    const at: Session = session ?? quiet;
    const counts = summaryIn(text);
    if (counts === null) {
      notice(text, line, at);
      continue;
    }
    at.summary = { counts, line };
    at.summaries += 1;
    if (session !== null) continue;
    reports.push(closed(quiet, line));
    quiet = opened(line + 1);
  }
  if (session !== null) reports.push(closed(session, lines.length - 1));
  return [...reports, ...marked(quiet)];
};

function opened(from: number): Session {
  const found = { names: [], namesInSummary: [], summary: null, summaries: 0 };
  return { from, collected: Infinity, ...found, marks: "", percent: 0, marksTo: from };
}

function summaryIn(text: string): ReadonlyMap<string, number> | null {
  const told = SUMMARY.exec(text)?.[1];
  if (told === undefined) return null;
  if (told === "no tests ran") return new Map();
  const counts = countsByWord(told, ", ");
  return counts !== null && [...counts.keys()].every((word) => WORDS.has(word)) ? counts : null;
}

function notice(text: string, line: number, session: Session): void {
  const [, marks, percent] = PROGRESS.exec(text) ?? [];
  if (marks !== undefined) {
    session.marks += marks;
    session.percent = Number(percent);
    session.marksTo = line;
  }
  const collected = COLLECTED.exec(text)?.[1];
  if (collected !== undefined) session.collected = Number(collected);
  if (!text.includes("::")) return;
  const name = RESULT.exec(text)?.[1];
  if (name !== undefined) session.names.push(name);
  const late = RESULT_FIRST.exec(text)?.[1];
  if (late !== undefined) session.namesInSummary.push(late);
}

function closed(session: Session, lastLine: number): RunnerReport {
  const { from, summary, names, namesInSummary } = session;
  const place = { runner: "pytest", from, to: summary?.line ?? lastLine };
  if (summary === null) return runnerReport({ ...place, isCutShort: true });
  const of = (...words: string[]): number =>
    words.reduce((sum, word) => sum + (summary.counts.get(word) ?? 0), 0);
  const told = of("passed", "failed", "skipped", "xfailed", "xpassed", "deselected");
  return runnerReport({
    ...place,
    passed: of("passed"),
    failed: of("failed"),
    skipped: of("skipped"),
    todo: of("xfailed", "xpassed"),
    deselected: of("deselected"),
    errors: of("error", "errors"),
    names: names.length > 0 ? names : namesInSummary,
    isContradictory: session.summaries > 1 || told - of("skipped") > session.collected,
  });
}

/** A run without header and summary, by the marks of its tests. */
function marked({ from, marks, percent, marksTo }: Session): readonly RunnerReport[] {
  if (marks === "") return [];
  const of = (kinds: string): number => marks.split("").filter((mark) => kinds.includes(mark)).length;
  return [
    runnerReport({
      runner: "pytest",
      from,
      to: marksTo,
      passed: of("."),
      failed: of("F"),
      skipped: of("s"),
      todo: of("xX"),
      errors: of("E"),
      isCutShort: percent < 100,
      isCounted: true,
    }),
  ];
}
