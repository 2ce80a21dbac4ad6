import { type Place, type Reader, type RunnerReport, runnerReport } from "../test-report.ts";
import { GoTests } from "./go-tests.ts";

const RUN = /^=== RUN {3}(\S+)$/;
/** Output of a test without a line end comes before it. */
const RESULT = /--- (PASS|FAIL|SKIP): (\S+) \([\d.]+s\)$/;
const PASSED_PACKAGE = /^ok {2}\t(\S+)\t(?:[\d.]+s|\(cached\))(.*)$/;
const FAILED_PACKAGE = /^FAIL\t(\S+)(?:\t[\d.]+s| \[(?:setup|build) failed\])$/;
const UNBUILT = / \[(?:setup|build) failed\]$/;
const NO_TESTS = "[no tests to run]";

/** `go test` with -json or -v by tests, without them by packages. All packages are one report. */
export const readGo: Reader = (lines) => {
  const tests = new GoTests();
  const packages = { passed: [] as string[], failed: [] as string[], unbuilt: 0 };
  let from = -1;
  let to = -1;
  for (const [line, text] of lines.entries()) {
    if (!noticePackage(text, tests, packages) && !noticeTest(text, tests)) continue;
    if (from < 0) from = line;
    to = line;
  }
  if (from < 0) return [];
  if (tests.isVerbose) return [tests.report({ from, to, errors: packages.unbuilt })];
  const { passed, failed } = packages;
  if (passed.length + failed.length + packages.unbuilt === 0) return [];
  return [byPackage(passed, failed, packages.unbuilt, { from, to })];
};

function noticeTest(text: string, tests: GoTests): boolean {
  if (text.startsWith("{")) return tests.noticeJson(text);
  const begun = RUN.exec(text)?.[1];
  if (begun !== undefined) tests.began(begun);
  const [, result, name] = RESULT.exec(text) ?? [];
  if (name !== undefined) tests.ended(name, result === "PASS" ? "pass" : result === "FAIL" ? "fail" : "skip");
  return begun !== undefined || name !== undefined;
}

function noticePackage(
  text: string,
  tests: GoTests,
  packages: { passed: string[]; failed: string[]; unbuilt: number },
): boolean {
  const [, passed, rest] = PASSED_PACKAGE.exec(text) ?? [];
  const failed = FAILED_PACKAGE.exec(text)?.[1];
  if (passed !== undefined) {
    const isEmpty = rest?.includes(NO_TESTS) === true;
    tests.packageEnded(passed, { hasPassed: true });
    if (!isEmpty) packages.passed.push(passed);
  } else if (failed !== undefined) {
    tests.packageEnded(failed, { hasPassed: false });
    if (UNBUILT.test(text)) packages.unbuilt += 1;
    else packages.failed.push(failed);
  }
  return passed !== undefined || failed !== undefined;
}

function byPackage(
  passed: readonly string[],
  failed: readonly string[],
  errors: number,
  place: Place,
): RunnerReport {
  return runnerReport({
    runner: "go",
    ...place,
    unit: "packages",
    passed: passed.length,
    failed: failed.length,
    errors,
    names: [...passed, ...failed],
    isCounted: true,
  });
}
