import { type Reader, type RunnerReport, runnerReport } from "../test-report.ts";
import { NameTree } from "./name-tree.ts";

const PASSING = /^ {2}(\d{1,9}) passing \(\d+m?s\)$/;
const REST = /^ {2}(\d{1,9}) (pending|failing)$/;
const RESULT = /^( {2,})(?:(✔|✓)|(\d+)\)|-) (.*?)(?: \(\d+ms\))?$/;
const GROUP = /^( {2,})(\S.*)$/;

interface Session {
  from: number;
  tree: NameTree;
  names: string[];
}

/** Ends with "N passing", and below it what is pending and failing. */
export const readMocha: Reader = (lines) => {
  const reports: RunnerReport[] = [];
  let session = begun();
  for (let line = 0; line < lines.length; line += 1) {
    const text = lines[line] ?? "";
    const passing = PASSING.exec(text)?.[1];
    if (passing === undefined) {
      notice(text, line, session);
      continue;
    }
    const rest = { pending: 0, failing: 0 };
    const from = session.from < 0 ? line : session.from;
    for (let found = REST.exec(lines[line + 1] ?? ""); found !== null; line += 1) {
      rest[found[2] as "pending" | "failing"] = Number(found[1]);
      found = REST.exec(lines[line + 2] ?? "");
    }
    const { names } = session;
    const { pending: skipped, failing: failed } = rest;
    reports.push(
      runnerReport({ runner: "mocha", from, to: line, passed: Number(passing), failed, skipped, names }),
    );
    session = begun();
  }
  if (session.from >= 0)
    reports.push(runnerReport({ runner: "mocha", from: session.from, to: session.from, isCutShort: true }));
  return reports;
};

function begun(): Session {
  return { from: -1, tree: new NameTree(), names: [] };
}

function notice(text: string, line: number, session: Session): void {
  const [, indent, passed, failed, name] = RESULT.exec(text) ?? [];
  if (indent === undefined || name === undefined) {
    const [, groupIndent, group] = GROUP.exec(text) ?? [];
    if (groupIndent !== undefined && group !== undefined) session.tree.enter(groupIndent.length, group);
    return;
  }
  if (passed !== undefined && session.from < 0) session.from = line;
  const full = session.tree.nameAt(indent.length, name);
  if (passed !== undefined || failed !== undefined) session.names.push(full);
}
