import { runnerReport, type Place, type Reader, type RunnerReport } from "../test-report.ts";

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

type Result = "pass" | "fail" | "skip";

/** Tests of all packages. One that ended without a beginning was printed by a test and doesn't count. */
class GoTests {
  /** Tests that began and haven't ended, by package and name. */
  readonly #running = new Map<string, number>();
  /** Results since the last package ended: the text names the package only at its end. */
  #ofPackage: { readonly name: string; readonly result: Result }[] = [];
  readonly #ended: { readonly name: string; readonly result: Result }[] = [];
  readonly #withoutTests: string[] = [];
  readonly #heard = new Set<string>();
  #errors = 0;
  #isContradictory = false;
  isVerbose = false;

  began(name: string): void {
    this.isVerbose = true;
    this.#running.set(name, (this.#running.get(name) ?? 0) + 1);
  }

  ended(name: string, result: Result): void {
    if (this.#ends(name)) this.#ofPackage.push({ name, result });
  }

  packageEnded(path: string, { hasPassed }: { readonly hasPassed: boolean }): void {
    if (hasPassed && this.#ofPackage.length === 0) this.#withoutTests.push(path);
    this.#ended.push(...this.#ofPackage.map(({ name, result }) => ({ name: `${path} > ${name}`, result })));
    this.#ofPackage = [];
  }

  /** One line of -json; false if it isn't one. */
  noticeJson(text: string): boolean {
    const event = goEvent(text);
    if (event === null) return false;
    const { action, path, test } = event;
    if (test === null) {
      if ((action === "pass" || action === "fail") && !this.#heard.has(path)) {
        if (action === "pass") this.#withoutTests.push(path);
        else this.#errors += 1;
      }
    } else if (action === "run") {
      this.#heard.add(path);
      this.began(`${path} > ${test}`);
    } else if (action === "pass" || action === "fail" || action === "skip") {
      const name = `${path} > ${test}`;
      if (this.#ends(name)) this.#ended.push({ name, result: action });
    }
    this.isVerbose = true;
    return true;
  }

  report(told: Place & Pick<RunnerReport, "errors">): RunnerReport {
    const all = [...this.#ended, ...this.#ofPackage];
    const of = (result: Result): number => all.filter((test) => test.result === result).length;
    return runnerReport({
      runner: "go",
      ...told,
      passed: of("pass"),
      failed: of("fail"),
      skipped: of("skip"),
      errors: told.errors + this.#errors,
      names: all.filter(({ result }) => result !== "skip").map(({ name }) => name),
      withoutTests: this.#withoutTests,
      isCutShort: this.#running.size > 0,
      isContradictory: this.#isContradictory,
      isCounted: true,
    });
  }

  #ends(name: string): boolean {
    const running = this.#running.get(name) ?? 0;
    if (running === 0) this.#isContradictory = true;
    else if (running === 1) this.#running.delete(name);
    else this.#running.set(name, running - 1);
    return running > 0;
  }
}

function goEvent(text: string): { action: string; path: string; test: string | null } | null {
  if (!text.includes('"Action":"')) return null;
  try {
    const { Action, Package, Test } = JSON.parse(text) as { readonly [key: string]: unknown };
    if (typeof Action !== "string" || typeof Package !== "string") return null;
    return { action: Action, path: Package, test: typeof Test === "string" ? Test : null };
  } catch {
    return null;
  }
}
