import { countOf, type SeenMarks } from "../definitions/injecting/marks.ts";
import type { InjectedFile } from "../baseline/injected-files.ts";
import type { TestReport } from "../reports/test-report.ts";

/** A run of a check whose test files had failures in them. */
export interface InjectedRun {
  readonly files: readonly InjectedFile[];
  readonly marks: SeenMarks;
  readonly isGreen: boolean;
  /** Of the check's own run; null: there is none that can be counted. */
  readonly own: TestReport | null;
  readonly report: TestReport | null;
  readonly output: string;
  readonly tookMs: number;
}

/** Altered expectations that were reached and passed all the same, by file. */
export type KeptExpectations = ReadonlyMap<number, ReadonlySet<number>>;

/**
 * - `noticed`: the check failed because of what was put in. `isRepeated`: everything else ended as before, so this was the check's
 *   repetition too.
 * - `unnoticed`: it cannot fail, at least not for this file.
 * - `kept`: an assertion passed with another expected value. Unless it only counts its failures, it cannot fail.
 * - `fallen`: a wrong expectation made it fail, and no added test ran: whether one is noticed is unknown.
 * - `other-failures`: tests failed that passed before.
 * - `unread`: it counts tests, and yet none of the files that are known to have them was read.
 * - `unbuilt`: it failed before any of the files was loaded.
 * - `unseen`: none of the files was run. `unknown`: it doesn't tell.
 */
export type Seen =
  | { readonly type: "noticed"; readonly isRepeated: boolean }
  | { readonly type: "unnoticed"; readonly path: string | null }
  | { readonly type: "kept"; readonly kept: KeptExpectations }
  | { readonly type: "fallen" }
  | { readonly type: "unread" | "unbuilt" }
  | { readonly type: "unseen" }
  | { readonly type: "other-failures" | "unknown" };

/** Judges by the marks that the files left. The report only says whether all other tests ended as before. */
export function seenFailures(run: InjectedRun): Seen {
  const { files, marks, isGreen } = run;
  const harmless = files.find(({ file }) => countOf(marks, "survived", file) > 0);
  if (harmless !== undefined) return { type: "unnoticed", path: harmless.path };
  if (isGreen) return seenInGreen(run);
  const hasRun = files.some(({ file }) => countOf(marks, "ran", file) > 0);
  const silent = files.find((each) => isLeftOut(run, each));
  if (silent !== undefined && hasRun && isComplete(run)) return { type: "unnoticed", path: silent.path };
  const told = files.find(({ isSure, isToldPassed }) => isSure && isToldPassed(run.output));
  if (told !== undefined) return { type: "unnoticed", path: told.path };
  const kept = keptIn(run);
  if (kept.size > 0) return { type: "kept", kept };
  if (!hasRun && fallenIn(run) > 0) return { type: "fallen" };
  if (!hasRun) {
    const isLoaded = files.some(({ file }) => countOf(marks, "loaded", file) > 0);
    return { type: isLoaded ? "unknown" : "unbuilt" };
  }
  return seenInReport(run);
}

function seenInGreen(run: InjectedRun): Seen {
  const { files, marks, own } = run;
  const ignored = files.find(
    ({ file }) => countOf(marks, "ran", file) > 0 || countOf(marks, "reached", file) > 0,
  );
  // One that also ended well may have been started once more, to see it fail.
  const unheard = files.find(
    ({ file }) => countOf(marks, "failed", file) > 0 && countOf(marks, "read", file) === 0,
  );
  const leftOut = ignored ?? unheard ?? files.find((each) => isLeftOut(run, each));
  if (leftOut !== undefined) return { type: "unnoticed", path: leftOut.path };
  const isLoaded = files.some(({ file }) => countOf(marks, "loaded", file) > 0);
  if (isLoaded) return { type: "unknown" };
  const mayHaveRead = own !== null && own.executed > 0 && files.every(({ isSure }) => isSure);
  return { type: mayHaveRead ? "unread" : "unseen" };
}

/**
 * It was loaded, but never to its end, or without running what is in it. A program that ends with a failure of its own, because
 * of the tests that it starts, say, does as it should.
 */
function isLeftOut({ marks }: InjectedRun, { file, isSure, endsItself }: InjectedFile): boolean {
  if (countOf(marks, "loaded", file) === 0 || countOf(marks, "failed", file) > 0) return false;
  const isRead = endsItself || countOf(marks, "read", file) > 0;
  return !isRead || (isSure && countOf(marks, "ran", file) === 0);
}

/**
 * Whether all tests ran beside those that were added, although some failed: many runners can stop at the first failure, and some
 * files may not load.
 */
export function isComplete({ own, report, files, marks }: InjectedRun): boolean {
  if (own === null || report === null || own.unit !== report.unit) return false;
  const added =
    own.unit !== "tests" ? 0 : files.reduce((sum, { file }) => sum + countOf(marks, "ran", file), 0);
  return report.executed >= own.executed + added && report.errors === own.errors;
}

function keptIn({ files, marks }: InjectedRun): KeptExpectations {
  const kept = new Map<number, Set<number>>();
  for (const [mark] of marks) {
    const [, file, id] = /^kept-(\d+)-(\d+)$/.exec(mark) ?? [];
    if (file === undefined || id === undefined) continue;
    if (!files.some((each) => each.file === Number(file))) continue;
    kept.set(Number(file), (kept.get(Number(file)) ?? new Set()).add(Number(id)));
  }
  return kept;
}

/** Whether as many tests failed as were added, or got to a wrong expectation. */
export function failedAsExpected(run: InjectedRun): boolean {
  const { own, report } = run;
  if (own === null || report === null || own.unit !== "tests" || !isComplete(run)) return false;
  return report.failed === report.executed - own.executed + fallenIn(run);
}

/** Whether fewer tests failed than got to a wrong expectation. */
export function hasFewerFailures(run: InjectedRun): boolean {
  return run.own?.unit === "tests" && run.report !== null && run.report.failed < fallenIn(run);
}

/** Whether no test failed but those that were added, although some got to a wrong expectation. */
export function hasSwallowed(run: InjectedRun): boolean {
  const { own, report } = run;
  if (own?.unit !== "tests" || report === null || !isComplete(run)) return false;
  return fallenIn(run) > 0 && report.failed === report.executed - own.executed;
}

/** How many tests failed at an altered expectation. */
function fallenIn({ files, marks }: InjectedRun): number {
  return files.reduce(
    (sum, { file }) => sum + countOf(marks, "reached", file) - countOf(marks, "kept", file),
    0,
  );
}

function seenInReport(run: InjectedRun): Seen {
  const { files, marks, own, report } = run;
  if (own === null || report === null || own.unit !== "tests" || !isComplete(run)) {
    const ran = files.filter(({ file }) => countOf(marks, "ran", file) > 0);
    const isRepeated = ran.length === files.length && ran.every(({ comesLast }) => comesLast);
    return { type: "noticed", isRepeated };
  }
  const added = report.executed - own.executed;
  const fallen = fallenIn(run);
  if (report.failed < added) return { type: "unnoticed", path: null };
  if (report.failed === added + fallen) return { type: "noticed", isRepeated: added > 0 };
  // A test that ends early may take others with it, and a report may count programs, not the tests in them.
  return fallen > 0 || added === 0 ? { type: "noticed", isRepeated: false } : { type: "other-failures" };
}
