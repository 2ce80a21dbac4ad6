import type { Marker } from "./marks.ts";

/** What is known about how a test file is run, beside its own text. */
export interface Surroundings {
  /** As the check's report names it; null: it has no report that we can read. */
  readonly runner: string | null;
  /** The command, and the scripts and configuration behind it. */
  readonly setup: string;
}

/** Which failures are put in: tests that fail, expected values that are wrong, or both. */
export interface Failures {
  readonly tests: boolean;
  /** By number; null: none. `all`: as many as are tried at once. */
  readonly altered: "all" | ReadonlySet<number> | null;
}

/** A test file with failures in it that say when they are reached. */
export interface InjectedText {
  readonly text: string;
  /** Further files that it needs. */
  readonly beside: readonly { readonly path: string; readonly text: string }[];
  /** Whoever loads this file runs what was added: nothing in the file or in the setup selects tests. */
  readonly isSure: boolean;
  /** Its own words end the process, maybe before its last line. */
  readonly endsItself: boolean;
  /** The first added failure is only reached if everything else in the file passed. */
  readonly comesLast: boolean;
  /** Whether an output says that the tests of this file passed. */
  readonly isToldPassed: (output: string) => boolean;
}

/** What most languages have in common. */
export function injectedText(
  text: string,
  part: Pick<InjectedText, "isSure"> & Partial<InjectedText>,
): InjectedText {
  return { text, beside: [], endsItself: false, comesLast: false, isToldPassed: () => false, ...part };
}

/** How the tests of a language are written. */
export interface Dialect {
  readonly file: RegExp;
  /** null: the text has no tests that we can add to. */
  readonly inject: (
    file: { readonly path: string; readonly text: string },
    marker: Marker,
    options: { readonly surroundings: Surroundings; readonly failures: Failures },
  ) => InjectedText | null;
}
