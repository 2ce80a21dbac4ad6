import { runnerReport, NameTree, type Reader, type RunnerReport } from "../test-report.ts";

const PASSING = /^ {2}(\d{1,9}) passing \(\d+m?s\)$/;
const MOCHA_REST = /^ {2}(\d{1,9}) (pending|failing)$/;
const MOCHA_RESULT = /^( {2,})(?:(✔|✓)|(\d+)\)|-) (.*?)(?: \(\d+ms\))?$/;
const MOCHA_GROUP = /^( {2,})(\S.*)$/;

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
    for (let found = MOCHA_REST.exec(lines[line + 1] ?? ""); found !== null; line += 1) {
      rest[found[2] as "pending" | "failing"] = Number(found[1]);
      found = MOCHA_REST.exec(lines[line + 2] ?? "");
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
  const [, indent, passed, failed, name] = MOCHA_RESULT.exec(text) ?? [];
  if (indent === undefined || name === undefined) {
    const [, groupIndent, group] = MOCHA_GROUP.exec(text) ?? [];
    if (groupIndent !== undefined && group !== undefined) session.tree.enter(groupIndent.length, group);
    return;
  }
  if (passed !== undefined && session.from < 0) session.from = line;
  const full = session.tree.nameAt(indent.length, name);
  if (passed !== undefined || failed !== undefined) session.names.push(full);
}

const AVA_RULE = /^ {2}─$/;
const AVA_COUNT =
  /^ {2}(\d{1,9}) (tests? (?:passed|failed|skipped|todo)|known failures?|uncaught exceptions?)$/;
const AVA_RESULT = /^ {2}(?:✔|✘ \[fail\]:) (?!\[expected fail\])(.*?)(?: \([\d.]+m?s\))?$/;
const NO_TESTS = /^ {2}✘ No tests found in /;

/** Ends with a rule, an empty line and counts. Beside a failure it does not say how many passed. */
export const readAva: Reader = (lines) => {
  const reports: RunnerReport[] = [];
  let names: string[] = [];
  let from = -1;
  let empty = 0;
  for (let line = 0; line < lines.length; line += 1) {
    const text = lines[line] ?? "";
    const name = AVA_RESULT.exec(text)?.[1];
    if (name !== undefined) names.push(name);
    if (NO_TESTS.test(text)) empty += 1;
    if ((name !== undefined || empty > 0) && from < 0) from = line;
    if (!AVA_RULE.test(text)) continue;
    const { counts, to } = countsBelow(lines, line + 1);
    if (counts.size === 0 && (empty === 0 || names.length > 0)) continue;
    const failed = counts.get("test failed") ?? 0;
    reports.push(
      runnerReport({
        runner: "ava",
        from: from < 0 ? line : from,
        to,
        passed: counts.get("test passed") ?? Math.max(0, names.length - failed),
        failed,
        skipped: counts.get("test skipped") ?? 0,
        todo: (counts.get("test todo") ?? 0) + (counts.get("known failure") ?? 0),
        errors: (counts.get("uncaught exception") ?? 0) + empty,
        names,
      }),
    );
    [names, from, empty, line] = [[], -1, 0, to];
  }
  return reports;
};

function countsBelow(lines: readonly string[], first: number): { counts: Map<string, number>; to: number } {
  const counts = new Map<string, number>();
  let to = first;
  for (let line = first + 1; ; line += 1) {
    const [, number, words] = AVA_COUNT.exec(lines[line] ?? "") ?? [];
    if (number === undefined || words === undefined) return { counts, to };
    counts.set(words.replace(/^tests/, "test").replace(/s$/, ""), Number(number));
    to = line;
  }
}

const RSPEC_SUMMARY =
  /^(\d{1,9}) examples?, (\d{1,9}) failures?(?:, (\d{1,9}) pending)?(?:, (\d{1,9}) errors? occurred outside of examples)?$/;
const END_OF_NAMES = /^(?:Pending:|Failures:|Finished in )/;
/** The progress format: a letter an example, without names. */
const PROGRESS = /^[.F*]+$/;
const PENDING = / \(PENDING: .*\)$/;
const FAILED = / \(FAILED - \d+\)$/;

/** Ends with "N examples, N failures". The documentation format shows names as a tree. */
export const readRspec: Reader = (lines) => {
  const reports: RunnerReport[] = [];
  let first = 0;
  for (const [line, text] of lines.entries()) {
    const [, examples, failures, pending, errors] = RSPEC_SUMMARY.exec(text) ?? [];
    if (examples === undefined) continue;
    const failed = Number(failures);
    const skipped = Number(pending ?? 0);
    reports.push(
      runnerReport({
        runner: "rspec",
        from: line,
        to: line,
        passed: Math.max(0, Number(examples) - failed - skipped),
        failed,
        skipped,
        errors: Number(errors ?? 0),
        names: namesIn(lines.slice(first, line)),
      }),
    );
    first = line + 1;
  }
  return reports;
};

function namesIn(lines: readonly string[]): readonly string[] {
  const end = lines.findIndex((line) => END_OF_NAMES.test(line));
  const shown = lines
    .slice(0, Math.max(0, end))
    .filter((line) => !PROGRESS.test(line.trim()) && line.trim() !== "");
  const tree = new NameTree();
  const names: string[] = [];
  for (const [index, line] of shown.entries()) {
    const indent = indentOf(line);
    const name = line.trim();
    if (indentOf(shown[index + 1] ?? "") > indent) tree.enter(indent, name);
    else if (!PENDING.test(name)) names.push(tree.nameAt(indent, name.replace(FAILED, "")));
  }
  return names;
}

function indentOf(line: string): number {
  return line.length - line.trimStart().length;
}
