import { countsByWord, runnerReport, NameTree, type Reader, type RunnerReport } from "../test-report.ts";

/** Scripts print lines such as `FAIL roman 4` too, but without a test file. */
const FILE = /^ ?(?:PASS|FAIL) {1,2}(\S.*?\.(?:[cm]?[jt]sx?|vue|svelte))(?: \([\d.]+ m?s\))?$/;
const SUITES = /^Test Suites: .* total$/;
const TESTS = /^Tests: +(.* total)$/;
const EXITED = /^ {2}● {2}process\.exit called with /;
const NO_TESTS = /^No tests found, exiting with code \d/;
const UNLOADED = /^ {2}● Test suite failed to run$/;
const RESULT = /^( +)(✓|✕|○|✎) (.*?)(?: \([\d.]+ m?s\))?$/;
const GROUP = /^( +)([^\s●].*)$/;

interface Session {
  readonly from: number;
  /** The last line that certainly belongs to this report. */
  to: number;
  readonly names: string[];
  errors: number;
  hasExited: boolean;
}

/** Ends with "Test Suites:" and "Tests:". A file's tests are listed below its name, up to an empty line. */
export const readJest: Reader = (lines) => {
  const reports: RunnerReport[] = [];
  let session: Session | null = null;
  let tree: NameTree | null = null;

  for (const [line, text] of lines.entries()) {
    const file = FILE.exec(text)?.[1];
    const begins = file !== undefined || EXITED.test(text) || NO_TESTS.test(text) || SUITES.test(text);
    if (begins) session ??= { from: line, to: line, names: [], errors: 0, hasExited: false };
    if (session === null) continue;
    if (begins) session.to = line;
    if (file !== undefined) tree = new NameTree(file);
    else if (text.trim() === "") tree = null;
    else if (tree !== null) noticeTest(text, tree, session.names);
    if (EXITED.test(text)) session.hasExited = true;
    if (UNLOADED.test(text)) session.errors += 1;
    const counts = countsIn(text, lines[line - 1] ?? "");
    if (counts === null) continue;
    reports.push(closed(session, counts, line));
    session = null;
    tree = null;
  }
  if (session !== null)
    reports.push(runnerReport({ runner: "jest", from: session.from, to: session.to, isCutShort: true }));
  return reports;
};

function noticeTest(text: string, tree: NameTree, names: string[]): void {
  const [, indent, mark, name] = RESULT.exec(text) ?? [];
  if (indent !== undefined && name !== undefined) {
    if (mark === "✓" || mark === "✕") names.push(tree.nameAt(indent.length, name));
    return;
  }
  const [, groupIndent, group] = GROUP.exec(text) ?? [];
  if (groupIndent !== undefined && group !== undefined) tree.enter(groupIndent.length, group);
}

function countsIn(text: string, before: string): ReadonlyMap<string, number> | null {
  if (NO_TESTS.test(text)) return new Map();
  const told = SUITES.test(before) ? TESTS.exec(text)?.[1] : undefined;
  return told === undefined ? null : countsByWord(told, ", ");
}

function closed(session: Session, counts: ReadonlyMap<string, number>, to: number): RunnerReport {
  return runnerReport({
    runner: "jest",
    from: session.from,
    to,
    passed: counts.get("passed") ?? 0,
    failed: counts.get("failed") ?? 0,
    skipped: counts.get("skipped") ?? 0,
    todo: counts.get("todo") ?? 0,
    errors: session.errors,
    names: session.names,
    isCutShort: session.hasExited,
  });
}
