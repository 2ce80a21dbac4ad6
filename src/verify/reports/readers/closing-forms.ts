/** What a number in a closing line counts. */
export type Counted =
  | "total"
  | "passed"
  | "failed"
  | "skipped"
  | "todo"
  | "deselected"
  | "errors"
  | "unbuilt";

/**
 * How a runner that ends with a line of numbers writes its report. Numbers are groups named after what they count, or a `list` of
 * them with their words ("4 runs, 1 failures", "Failed: 1, Passed: 3").
 */
export interface ClosingForm {
  readonly runner: string;
  /** Opens a report; the group `planned` says how many tests are to come. */
  readonly begins?: RegExp;
  /** What the line before a beginning looks like, where the beginning alone could be anyone's. */
  readonly beginsAfter?: RegExp;
  /** When it is told to be quiet, it only says something about failures: without a beginning, that is no report. */
  readonly needsBeginning?: boolean;
  /** Each file begins anew, and all of them end together. */
  readonly beginsOften?: boolean;
  /** Several of them run side by side, and their lines mix. */
  readonly runsBeside?: boolean;
  /** Numbers in lines of their own, before or after the end. */
  readonly counts?: readonly RegExp[];
  /** Several lines of the same numbers are added; otherwise the last one counts. */
  readonly adds?: boolean;
  readonly ends: RegExp;
  readonly endsAfter?: RegExp;
  /** Words of this runner, where they mean something else than they do for most. */
  readonly words?: { readonly [word: string]: Counted | null };
  /** The total has no skipped tests in it. */
  readonly isTotalExecuted?: boolean;
  /** The result of one test: `name`, and one of `passed`, `failed` and `skipped`. */
  readonly result?: RegExp;
  /** Something that could not be started but is counted as a test. */
  readonly unstarted?: RegExp;
  /** Lines in front of the end that belong to the report, so that other reports among them were printed by it. */
  readonly shows?: RegExp;
  /** Another reader tells more about an output with such a line. */
  readonly unless?: RegExp;
}

/** What words mean in most closing lines; null: not a number of tests. */
export const WORDS: { readonly [word: string]: Counted | null } = {
  test: "total",
  run: "total",
  spec: "total",
  check: "total",
  total: "total",
  "tests run": "total",
  "tests completed": "total",
  "total tests": "total",
  passed: "passed",
  pass: "passed",
  succeeded: "passed",
  failed: "failed",
  fail: "failed",
  failure: "failed",
  error: "failed",
  "timed out": "failed",
  "exec failed": "failed",
  skipped: "skipped",
  skip: "skipped",
  ignored: "skipped",
  omission: "skipped",
  pending: "skipped",
  "pending spec": "skipped",
  incomplete: "todo",
  todo: "todo",
  "filtered out": "deselected",
  excluded: "deselected",
  invalid: "errors",
  "not run": "errors",
  assertion: null,
  risky: null,
  warning: null,
  deprecation: null,
  deprecated: null,
  notice: null,
  "phpunit warning": null,
  "phpunit deprecation": null,
  "phpunit notice": null,
  notification: null,
  doctest: "total",
  property: "total",
  propertie: "total",
  feature: "total",
};

/** Runners that write a mark in brackets before each line, and a `test` in their own spelling. */
function bracketed(runner: string, test: string): ClosingForm {
  const line = (mark: string, text: string): RegExp => new RegExp(String.raw`^\[${mark}\] ${text}`);
  return {
    runner,
    begins: line("={10}", String.raw`(?:\S+: )?Running (?<planned>\d+) ${test}(?: from .*)?\.$`),
    counts: [
      line(" {2}PASSED {2}", String.raw`(?<passed>\d+) ${test}\.$`),
      line(" {2}SKIPPED ", String.raw`(?<skipped>\d+) ${test}, listed below:$`),
      line(" {2}FAILED {2}", String.raw`(?<failed>\d+) ${test}, listed below:$`),
    ],
    ends: line("={10}", String.raw`(?:\S+: )?(?<total>\d+) ${test}(?: from \d.*)? (?:run|ran)\.`),
    result: /^\[ +(?:(?<passed>OK)|(?<failed>FAILED)) +\] (?<name>\S+)(?: \(\d+ ms\))?$/,
  };
}

/**
 * Gradle isn't here: it says nothing about tests that pass, nor about those whose result it kept, so that an output without a
 * report means nothing.
 */
export const CLOSING_FORMS: readonly ClosingForm[] = [
  {
    runner: "phpunit",
    begins: /^PHPUnit \d[\w.-]* by Sebastian Bergmann/,
    ends: /^(?:OK \((?<list>\d+ tests?, \d+ assertions?)\)|(?<line>Tests: \d+, Assertions: \d+.*)\.|No tests executed!)$/,
    result: /^ (?:(?<passed>✔)|(?<failed>✘)) (?<name>\S.*?)(?: \[[\d.]+ ms\])?$/,
    unstarted: /^No tests found in class "/,
  },
  {
    runner: "Pest",
    endsAfter: /^$/,
    ends: /^ {2}Tests: {2,}(?<list>\d+ .*)$/,
  },
  {
    runner: "minitest",
    begins: /^(?:# Running:|Started with run options .*)$/,
    runsBeside: true,
    ends: /^(?<list>\d+ (?:runs|tests), \d+ assertions, \d+ failures, \d+ errors, \d+ skips)$/,
    result: /^(?<name>\S+#\S.*) = [\d.]+ s = (?:(?<passed>\.)|(?<failed>[FE])|S)$/,
  },
  {
    runner: "test-unit",
    begins: /^Loaded suite /,
    runsBeside: true,
    ends: /^(?<list>\d+ tests, \d+ assertions, \d+ failures, \d+ errors, \d+ pendings, \d+ omissions, \d+ notifications)$/,
  },
  {
    runner: "ExUnit",
    endsAfter: /^Finished in [\d.]+ seconds/,
    ends: /^(?<list>(?:\d+ (?:doctests?|propert(?:y|ies)|features?|tests?), )*\d+ failures?(?:, \d+ (?:excluded|invalid|skipped))*)$/,
  },
  {
    runner: "bats",
    endsAfter: /^$/,
    ends: /^(?<list>\d+ tests?, \d+ failures?(?:, \d+ (?:skipped|not run))*)$/,
  },
  {
    runner: "jasmine",
    beginsAfter: /^Randomized with seed \d+$/,
    begins: /^Started$/,
    ends: /^(?:(?<list>\d+ specs?, \d+ failures?(?:, \d+ pending specs?)?)|No specs found)$/,
  },
  {
    runner: "uvu",
    counts: [/^ {2}(?<list>(?:Total|Passed|Skipped): +\d+)$/],
    endsAfter: /^ {2}Skipped: +\d+$/,
    ends: /^ {2}Duration: +[\d.]+m?s$/,
    isTotalExecuted: true,
  },
  {
    runner: "deno",
    begins: /^running (?<planned>\d+) tests? from /,
    beginsOften: true,
    ends: /^(?:ok|FAILED) \| (?<list>\d+ passed.*?) \([\d.]+(?:ms|m?\d*s)\)$/,
    result: /^(?<name>\S.*) \.\.\. (?:(?<passed>ok)|(?<failed>FAILED)|ignored) \([^()]*\)$/,
  },
  {
    runner: "bun",
    begins: /^bun test v\d/,
    counts: [/^ *(?<list>\d+ (?:pass|fail|skip|todo))$/],
    ends: /^Ran (?<total>\d+) tests? across \d+ files?\./,
    result: /^\((?:(?<passed>pass)|(?<failed>fail))\) (?<name>.*?)(?: \[[\d.]+m?s\])?$/,
    unstarted: /^# Unhandled error between tests$/,
  },
  {
    runner: "gotestsum",
    shows: /^(?:[✓✖∅] |=== RUN |ok {2}\t|FAIL|PASS|EMPTY)/,
    ends: /^DONE (?<list>\d+ tests.*) in [\d.]+s$/,
    words: { error: "unbuilt" },
    result: /^(?:(?<passed>PASS)|(?<failed>FAIL)) (?<name>\S+) \([\d.]+s\)$/,
  },
  {
    runner: "prove",
    shows: /^\S+\.t +\.\./,
    counts: [/\(Wstat: \d.* Tests: \d+ Failed: (?<failed>\d+)\)$/],
    adds: true,
    ends: /^Files=\d+, Tests=(?<total>\d+), /,
    unless: /^(?:1\.\.\d|(?:not )?ok \d)/,
  },
  {
    runner: "ctest",
    begins: /^Test project /,
    ends: /^(?:\d+% tests passed(?:, (?<failed>\d+) tests? failed)? out of (?<total>\d+)|No tests were found!!!)$/,
    result:
      /^ *\d+\/\d+ Test +#\d+: (?<name>\S+) [. ]*(?:(?<passed>Passed)|\*\*\*(?<skipped>Skipped)|\*\*\*Not Run \(Disabled\)|(?<failed>\*\*\*|[A-Z]))/,
  },
  bracketed("cmocka", String.raw`test\(s\)`),
  bracketed("googletest", "tests?"),
  {
    runner: "Check",
    begins: /^Running suite\(s\): /,
    ends: /^\d+%: (?<list>Checks: \d+, Failures: \d+, Errors: \d+)$/,
  },
  {
    runner: "Unity",
    ends: /^(?<total>\d+) Tests (?<failed>\d+) Failures (?<skipped>\d+) Ignored$/,
  },
  {
    runner: "Catch2",
    ends: /^(?:All tests passed \(\d+ assertions? in (?<total>\d+) test cases?\)|test cases: +(?<list>\d+ \|.*)|No tests ran)$/,
    words: { "": "total", "failed as expected": "todo" },
  },
  {
    runner: "doctest",
    begins: /^\[doctest\] doctest version is /,
    ends: /^\[doctest\] test cases: +(?<list>\d+ \|.*)$/,
    words: { "": "total" },
    isTotalExecuted: true,
  },
  {
    runner: "JUnit 4",
    begins: /^JUnit version \d/,
    ends: /^(?:OK \((?<list>\d+ tests?)\)|(?<line>Tests run: \d+, +Failures: \d+))$/,
    unstarted: /^\d+\) initializationError\(/,
  },
  {
    runner: "JUnit console",
    counts: [
      /^\[ +(?<total>\d+) tests found +\]$/,
      /^\[ +(?<skipped>\d+) tests (?:skipped|aborted) +\]$/,
      /^\[ +(?<passed>\d+) tests successful +\]$/,
    ],
    adds: true,
    ends: /^\[ +(?<failed>\d+) tests failed +\]$/,
  },
  {
    runner: "Maven",
    begins: /^(?:\[INFO\] +)? *T E S T S$/,
    needsBeginning: true,
    runsBeside: true,
    ends: /^(?:\[(?:INFO|WARNING|ERROR)\] +)?(?<list>Tests run: \d+, Failures: \d+, Errors: \d+, Skipped: \d+)$/,
  },
  {
    runner: "dotnet",
    counts: [/^(?: {4} (?<list>(?:Passed|Failed|Skipped): +\d+)|(?<line>Total tests: \d+))$/],
    ends: /^(?:(?:Passed|Failed|Skipped)! +- (?<list>Failed: +\d+, Passed: +\d+, Skipped: +\d+, Total: +\d+), Duration: .*|Test summary: (?<line>total: \d+, failed: \d+, succeeded: \d+, skipped: \d+), duration: .*| Total time: [\d.]+ \w+)$/,
  },
  {
    runner: "XCTest",
    begins: /^Test Suite '(?:All|Selected) tests' started at /,
    endsAfter: /^Test Suite '(?:All|Selected) tests' (?:passed|failed) at /,
    ends: /^\s+Executed (?<total>\d+) tests?, with (?:(?<skipped>\d+) tests? skipped and )?(?<failed>\d+) failures? \(/,
    result:
      /^Test Case '(?<name>[^']+)' (?:(?<passed>passed)|(?<failed>failed)|skipped) \([\d.]+ seconds\)\.?$/,
  },
  {
    runner: "Swift Testing",
    begins: /^\S {1,2}Test run started\.$/u,
    ends: /^\S {1,2}Test run with (?<total>\d+) tests?(?: in \d+ suites?)? (?:passed|failed) after [\d.]+ seconds(?: with .*)?\.$/u,
    result:
      /^\S {1,2}Test (?<name>(?!run with ).+) (?:(?:(?<passed>passed)|(?<failed>failed)) after [\d.]+ seconds.*|(?<skipped>skipped).*)$/u,
  },
  {
    runner: "cargo nextest",
    begins: /^ *Starting (?<planned>\d+) tests? across \d+ binar(?:y|ies)/,
    ends: /^ *Summary \[ *[\d.]+s\] +\d+(?:\/\d+)? tests? run: (?<list>\d+ .*)$/,
    result:
      /^ *(?:(?<passed>PASS)|(?<failed>FAIL|SIGABRT|SIGSEGV|TIMEOUT)) \[ *[\d.]+s\] (?:\( *\d+\/\d+\) )?(?<name>\S.*)$/,
  },
];
