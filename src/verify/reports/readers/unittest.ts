import { type Place, type Reader, type RunnerReport, runnerReport } from "../test-report.ts";

const RULE = /^-{70}$/;
const RAN = /^Ran (\d+) tests? in [\d.]+s$/;
const OUTCOME = /^(?:OK|FAILED|NO TESTS RAN)(?: \(([a-z0-9=, ]*)\))?$/;
const TEST = /^(\w+ \([\w.<>]+\))(?: \.\.\. (.*))?$/;
const RESULT = /(?:^|\.\.\. )(ok|FAIL|ERROR|skipped .*|expected failure|unexpected success)$/;
/** A module that could not be imported is reported as a test of this class. */
const UNLOADED = /^ERROR: .*\(unittest\.loader\._FailedTest/;

/** Ends with a rule, what ran, an empty line and the outcome. Only -v shows that one began. */
export const readUnittest: Reader = (lines) => {
  const reports: RunnerReport[] = [];
  let names: string[] = [];
  let current: string | null = null;
  let from = -1;
  let unloaded = 0;

  for (const [line, text] of lines.entries()) {
    const test = TEST.exec(text);
    if (test !== null) {
      current = test[1] ?? null;
      if (from < 0) from = line;
    }
    const result = current === null ? undefined : RESULT.exec(text)?.[1];
    if (result !== undefined && current !== null) {
      if (result === "ok" || result === "FAIL" || result === "ERROR") names.push(current);
      current = null;
    }
    if (UNLOADED.test(text)) unloaded += 1;
    const ran = RULE.test(lines[line - 1] ?? "") ? RAN.exec(text)?.[1] : undefined;
    const outcome = ran === undefined ? null : OUTCOME.exec(lines[line + 2] ?? "");
    if (ran === undefined || outcome === null) continue;
    const place = { from: from < 0 ? line - 1 : from, to: line + 2 };
    reports.push(summed(Number(ran), outcome[1] ?? "", unloaded, { ...place, names }));
    [names, current, from, unloaded] = [[], null, -1, 0];
  }
  if (from >= 0)
    reports.push(runnerReport({ runner: "unittest", from, to: lines.length - 1, isCutShort: true }));
  return reports;
};

function summed(
  ran: number,
  details: string,
  unloaded: number,
  told: Place & Pick<RunnerReport, "names">,
): RunnerReport {
  const of = (word: string): number =>
    Number(new RegExp(`(?:^|, )${word}=(\\d{1,9})`).exec(details)?.[1] ?? 0);
  const skipped = of("skipped");
  const todo = of("expected failures") + of("unexpected successes");
  const executed = Math.max(0, ran - skipped - todo - unloaded);
  // Parts of one test fail separately, and a class whose set-up fails isn't a test.
  const failed = Math.min(executed, of("failures") + Math.max(0, of("errors") - unloaded));
  return runnerReport({
    ...told,
    runner: "unittest",
    passed: executed - failed,
    failed,
    skipped,
    todo,
    errors: unloaded,
  });
}
