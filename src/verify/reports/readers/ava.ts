import { type Reader, type RunnerReport, runnerReport } from "../test-report.ts";

const RULE = /^ {2}─$/;
const COUNT = /^ {2}(\d{1,9}) (tests? (?:passed|failed|skipped|todo)|known failures?|uncaught exceptions?)$/;
const RESULT = /^ {2}(?:✔|✘ \[fail\]:) (?!\[expected fail\])(.*?)(?: \([\d.]+m?s\))?$/;
const NO_TESTS = /^ {2}✘ No tests found in /;

/** Ends with a rule, an empty line and counts. Beside a failure it does not say how many passed. */
export const readAva: Reader = (lines) => {
  const reports: RunnerReport[] = [];
  let names: string[] = [];
  let from = -1;
  let empty = 0;
  for (let line = 0; line < lines.length; line += 1) {
    const text = lines[line] ?? "";
    const name = RESULT.exec(text)?.[1];
    if (name !== undefined) names.push(name);
    if (NO_TESTS.test(text)) empty += 1;
    if ((name !== undefined || empty > 0) && from < 0) from = line;
    if (!RULE.test(text)) continue;
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
    const [, number, words] = COUNT.exec(lines[line] ?? "") ?? [];
    if (number === undefined || words === undefined) return { counts, to };
    counts.set(words.replace(/^tests/, "test").replace(/s$/, ""), Number(number));
    to = line;
  }
}
