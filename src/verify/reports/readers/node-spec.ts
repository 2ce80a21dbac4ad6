import { type Reader, type RunnerReport, runnerReport } from "../test-report.ts";
import { NameTree } from "./name-tree.ts";
import { nodeReport, type NodeResult, nodeSummaryAt, SUMMARY_LINES } from "./node-test.ts";

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
