import { type Reader, type RunnerReport, runnerReport } from "../test-report.ts";
import { NameTree } from "./name-tree.ts";

const SUMMARY =
  /^(\d{1,9}) examples?, (\d{1,9}) failures?(?:, (\d{1,9}) pending)?(?:, (\d{1,9}) errors? occurred outside of examples)?$/;
const END_OF_NAMES = /^(?:Pending:|Failures:|Finished in )/;
const PENDING = / \(PENDING: .*\)$/;
const FAILED = / \(FAILED - \d+\)$/;

/** Ends with "N examples, N failures". The documentation format shows names as a tree. */
export const readRspec: Reader = (lines) => {
  const reports: RunnerReport[] = [];
  let first = 0;
  for (const [line, text] of lines.entries()) {
    const [, examples, failures, pending, errors] = SUMMARY.exec(text) ?? [];
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
  const shown = lines.slice(0, Math.max(0, end)).filter((line) => line.trim() !== "");
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
