/** What a check printed about the tests it ran: the reports of all runners in its output, taken together. */
export interface TestReport extends Counts {
  /** "pytest", or "vitest and pytest" if one output has both. */
  readonly runner: string;
  /** Tests that ran and whose result counted: passed and failed. */
  readonly executed: number;
  /** Full names of the executed tests, as often as they ran; null if the runner printed only numbers. */
  readonly names: readonly string[] | null;
  /** Go's plain output only counts packages. */
  readonly unit: "tests" | "packages";
  /** How many reports the output has: one for each project of a workspace. */
  readonly reports: number;
  /** Files or packages that passed without reporting a test: empty, or their process ended before a test began. */
  readonly withoutTests: readonly string[];
  /** A report started but didn't end. */
  readonly isCutShort: boolean;
  /** The output contradicts itself: two summaries for one beginning, more results than tests. */
  readonly isContradictory: boolean;
  /** The lines to count are in the part of a long output that was left out. */
  readonly isPartial: boolean;
}

interface Counts {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
  /** Still to be written, or expected to fail: its result decides nothing. */
  readonly todo: number;
  /** Left out by a filter. */
  readonly deselected: number;
  /** Files that could not be loaded, set-ups that failed: tests that never started. */
  readonly errors: number;
}

/** The first and the last line of a report, by number. */
export interface Place {
  readonly from: number;
  readonly to: number;
}

/** What one runner said from its beginning to its end. */
export interface RunnerReport extends Counts, Place {
  readonly runner: string;
  readonly unit: "tests" | "packages";
  readonly names: readonly string[] | null;
  readonly withoutTests: readonly string[];
  readonly isCutShort: boolean;
  readonly isContradictory: boolean;
  /** The numbers were counted line by line; no summary states them. */
  readonly isCounted: boolean;
}

export type Reader = (lines: readonly string[]) => readonly RunnerReport[];

const NOTHING = {
  unit: "tests",
  passed: 0,
  failed: 0,
  skipped: 0,
  todo: 0,
  deselected: 0,
  errors: 0,
  names: null,
  withoutTests: [],
  isCutShort: false,
  isContradictory: false,
  isCounted: false,
} as const;

type Told = Place & Pick<RunnerReport, "runner"> & Partial<RunnerReport>;

/** Builds a report; drops names that don't match the numbers. */
export function runnerReport(told: Told): RunnerReport {
  const report = { ...NOTHING, ...told };
  const isNamed = report.names !== null && report.names.length === report.passed + report.failed;
  return { ...report, names: isNamed ? report.names : null };
}

/** Numbers before words, as in "1 failed | 3 passed" or "2 skipped, 4 total"; null if there is anything else. */
export function countsByWord(text: string, separator: string): ReadonlyMap<string, number> | null {
  const counts = new Map<string, number>();
  for (const piece of text.split(separator)) {
    const [, number, word] = /^\s*(\d{1,9}) ([a-z][a-z ]*?)\s*$/.exec(piece) ?? [];
    if (number === undefined || word === undefined) return null;
    counts.set(word, (counts.get(word) ?? 0) + Number(number));
  }
  return counts;
}

/** The result of a check's tests, in a few words. */
export function reportWords({ executed, skipped, unit, isCutShort }: TestReport): string {
  const ran = `${executed} ${executed === 1 ? unit.replace(/s$/, "") : unit}`;
  const left = skipped === 0 ? "" : `, ${skipped} skipped`;
  return `${ran}${left}${isCutShort ? ", and its report is cut short" : ""}`;
}

/**
 * node:test also runs files that use no runner at all: such a file is a test itself. `paths`: those files, below the folder that
 * the report names them from.
 */
export function withPlainFiles(report: TestReport | null, paths: readonly string[]): TestReport | null {
  if (report === null || paths.length === 0) return report;
  const isPlain = (name: string): boolean =>
    paths.some((path) => name === path || name.endsWith(`/${path}`) || path.endsWith(`/${name}`));
  const withoutTests = report.withoutTests.filter((name) => !isPlain(name));
  const count = report.withoutTests.length - withoutTests.length;
  return { ...report, withoutTests, executed: report.executed + count, passed: report.passed + count };
}

/** Full names out of an indented list of groups and tests. */
export class NameTree {
  readonly #root: string | null;
  #groups: { readonly indent: number; readonly name: string }[] = [];

  constructor(root: string | null = null) {
    this.#root = root;
  }

  enter(indent: number, name: string): void {
    this.#leave(indent);
    this.#groups.push({ indent, name });
  }

  nameAt(indent: number, name: string): string {
    this.#leave(indent);
    const root = this.#root === null ? [] : [this.#root];
    return [...root, ...this.#groups.map((group) => group.name), name].join(" > ");
  }

  /** Leaves the last group, and returns whether it was this one. */
  closes(indent: number, name: string): boolean {
    while ((this.#groups.at(-1)?.indent ?? -1) > indent) this.#groups.pop();
    const last = this.#groups.at(-1);
    if (last?.indent !== indent || last.name !== name) return false;
    this.#groups.pop();
    return true;
  }

  #leave(indent: number): void {
    while ((this.#groups.at(-1)?.indent ?? -1) >= indent) this.#groups.pop();
  }
}
