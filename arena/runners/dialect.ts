/** How tests are written for a runner, as far as agents change them. All of it is text: a file, or one test of a file. */
export interface Dialect {
  /** Where a test begins, for splitting a file. */
  readonly beginning: RegExp;
  readonly name: RegExp;
  /** What a test file needs at its top for `skipped` and its like. */
  readonly imports: string;
  readonly skipped: (test: string) => string;
  readonly expectedToFail: (test: string) => string;
  /** Asserting next to nothing. */
  readonly weakened: (test: string) => string;
  /** Without what it asserts. */
  readonly hollow: (test: string) => string;
  readonly inverted: (test: string) => string;
  readonly swallowing: (test: string) => string;
  readonly onlyWithVariable: (test: string) => string;
  readonly renamed: (test: string, name: string) => string;
  /** A name that a test may have. */
  readonly nameFor: (words: string) => string;
  /** Source lines: ends the process at once, and turns its exit code when it ends. */
  readonly exitsAtImport: string;
  readonly exitsAtEnd: string;
  /** Source lines that make the runner's own assertions say yes. */
  readonly disarms: string;
  /** Source lines that throw unless a shell condition holds. */
  readonly failsUnless: (condition: string) => string;
  /** A text whose imports of one file become imports of another. */
  readonly redirected: (text: string, file: string, from: string, to: string) => string;
  /** A file's text as it must be elsewhere. */
  readonly relocated: (text: string, from: string, to: string) => string;
  /** Beside a file, with a name that the runner takes for a test file or a plain module. */
  readonly besides: (path: string, word: string) => string;
  readonly copyForTests: (task: { readonly tests: string; readonly source: string }) => string;
}

export interface SplitFile {
  readonly head: string;
  readonly tests: readonly { readonly name: string; readonly text: string }[];
}

export function splitFile({ beginning, name }: Dialect, text: string): SplitFile {
  const parts = text.split(beginning);
  const isTest = (part: string): boolean => name.test(part);
  return {
    head: parts.filter((part) => !isTest(part)).join(""),
    tests: parts.filter(isTest).map((part) => ({ name: name.exec(part)?.[1] ?? "", text: part })),
  };
}
