import { runnerReport, NameTree, type Place, type RunnerReport, type Reader } from "../test-report.ts";

interface NodeCounts {
  readonly tests: number;
  readonly suites: number;
  readonly pass: number;
  readonly fail: number;
  readonly cancelled: number;
  readonly skipped: number;
  readonly todo: number;
}

const COUNTED = ["tests", "suites", "pass", "fail", "cancelled", "skipped", "todo"] as const;
/** Lines of a whole summary, the last of which is how long it took. */
export const SUMMARY_LINES = COUNTED.length + 1;

/** The complete summary that starts on this line; null if there is none. */
export function nodeSummaryAt(lines: readonly string[], first: number, mark: "ℹ" | "#"): NodeCounts | null {
  const numbers: number[] = [];
  for (const [index, word] of COUNTED.entries()) {
    const line = lines[first + index] ?? "";
    const start = `${mark} ${word} `;
    if (!line.startsWith(start) || !/^\d{1,9}$/.test(line.slice(start.length))) return null;
    numbers.push(Number(line.slice(start.length)));
  }
  if (!(lines[first + COUNTED.length] ?? "").startsWith(`${mark} duration_ms `)) return null;
  const [tests = 0, suites = 0, pass = 0, fail = 0, cancelled = 0, skipped = 0, todo = 0] = numbers;
  return { tests, suites, pass, fail, cancelled, skipped, todo };
}

export interface NodeResult {
  readonly name: string;
  readonly hasPassed: boolean;
}

/** A file that reported no tests is listed as a test by its path. */
const FILE = /^(?:\/.*|[A-Za-z]:\\.*|\S+)\.[cm]?[jt]sx?$/;

/** A report of Node's own runner out of its summary, and of the tests that it showed. */
export function nodeReport(
  counts: NodeCounts,
  shown: readonly NodeResult[],
  parents: number,
  place: Place,
): RunnerReport {
  const files = shown.filter(({ name }) => FILE.test(name));
  const withoutTests = files.filter((file) => file.hasPassed).map(({ name }) => name);
  const errors = files.length - withoutTests.length;
  const passed = Math.max(0, counts.pass - withoutTests.length);
  const failed = Math.max(0, counts.fail + counts.cancelled - errors);
  const names = shown.filter(({ name }) => !FILE.test(name)).map(({ name }) => name);
  // A test with subtests counts too; a suite looks the same but doesn't count.
  const fits = names.length <= passed + failed && passed + failed <= names.length + parents;
  const { skipped, todo } = counts;
  const report = { runner: "node:test", ...place, passed, failed, skipped, todo, errors, withoutTests };
  return { ...runnerReport(report), names: fits ? names : null, isContradictory: !fits };
}

const RESULT = /^( *)(✔|✖|﹣|⚠) (.*) \(\d[\d.]*ms\)( # (?:SKIP|TODO|EXPECTED FAILURE).*)?$/;
const GROUP = /^( *)▶ (.*)$/;
/** Failures are repeated at the end, each below the location of its test. */
const PLACE_OF_FAILURE = /^test at /;

interface Session {
  from: number;
  tree: NameTree;
  tests: NodeResult[];
  parents: number;
}

/** The spec reporter of node:test: no beginning, and eight lines of numbers at the end. */
export const readNodeSpec: Reader = (lines) => {
  const reports: RunnerReport[] = [];
  let session = begun();
  for (let line = 0; line < lines.length; line += 1) {
    const counts = nodeSummaryAt(lines, line, "ℹ");
    if (counts === null) {
      if (!PLACE_OF_FAILURE.test(lines[line - 1] ?? "")) notice(lines[line] ?? "", line, session);
      continue;
    }
    const from = session.from < 0 ? line : session.from;
    line += SUMMARY_LINES - 1;
    reports.push(nodeReport(counts, session.tests, session.parents, { from, to: line }));
    session = begun();
  }
  if (session.from >= 0)
    reports.push(
      runnerReport({ runner: "node:test", from: session.from, to: session.from, isCutShort: true }),
    );
  return reports;
};

function begun(): Session {
  return { from: -1, tree: new NameTree(), tests: [], parents: 0 };
}

function notice(text: string, line: number, session: Session): void {
  const [, groupIndent, group] = GROUP.exec(text) ?? [];
  if (groupIndent !== undefined && group !== undefined) session.tree.enter(groupIndent.length, group);
  const [, indent, mark, name, directive] = RESULT.exec(text) ?? [];
  if (indent === undefined || name === undefined) return;
  if (indent === "" && session.from < 0) session.from = line;
  if (session.tree.closes(indent.length, name)) session.parents += 1;
  else if (directive === undefined && mark !== "﹣")
    session.tests.push({ name: session.tree.nameAt(indent.length, name), hasPassed: mark === "✔" });
}
