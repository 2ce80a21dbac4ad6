/** How a runner or tool writes one failure: a heading, and below it what went wrong and where. */
export interface FailureForm {
  readonly runner: string;
  /** Failures are listed below this line. */
  readonly below?: RegExp;
  /** The line before a heading. */
  readonly after?: RegExp;
  /** Any of `test`, `message`, `place`, `testPlace` (where the test begins), `file` with `line`, and, for a file that stands above, `line` alone. */
  readonly heading: RegExp;
  /** What went wrong; by default the first line below that is no frame, rule or code. Without a group: the next line. */
  readonly messages?: readonly RegExp[];
  readonly until?: RegExp;
  /** What went wrong may stand before the heading, after such a line. */
  readonly since?: RegExp;
  /** Of several places, the last is where it failed. */
  readonly isPlaceLast?: boolean;
  /** Of several errors, the last is the one that was not caught. */
  readonly isMessageLast?: boolean;
  /** Anything may begin like this heading: only with a place it is a failure. */
  readonly needsPlace?: boolean;
  /** The name of a test goes on in the next lines, up to one that ends so. */
  readonly nameEnds?: RegExp;
}

const PYTHON_ERRORS = [
  /^(?<message>[A-Za-z_][\w.]*(?:Error|Exception|Exit|Interrupt)\b.*)$/,
  /^(?<message>[A-Za-z_][\w.]*(?:: .*)?)$/,
];
const GO_MESSAGES = [/^\s+Error: +\t?(?<message>\S.*)$/, /^ +\S+\.go:\d+: (?<message>\S.*)$/];

/** The most telling first; each was seen in a recorded output, or is written as its runner documents it. */
export const FAILURE_FORMS: readonly FailureForm[] = [
  { runner: "vitest", heading: /^ FAIL +(?<test>\S.* > .*|\S.* \[ .* \])$/, until: /^⎯/ },
  {
    runner: "jest",
    heading: /^ {2}● (?<test>(?!Console).+)$/,
    messages: [/^ +(?<message>SyntaxError: .+)$/, /^ {4}(?<message>\S.*)$/],
    until: /^Test Suites: /,
  },
  {
    runner: "playwright",
    heading: /^ {2}\d+\) (?:\[[^\]]+\] › )?(?<testPlace>[^\s:]+:\d+):\d+ › (?<test>.+)$/,
  },
  {
    runner: "mocha",
    below: /^ {2}\d+ failing$/,
    heading: /^ {2}\d+\) (?<test>.+)$/,
    nameEnds: /:$/,
  },
  {
    runner: "ava",
    heading: /^ {2}✘ \[fail\]: (?<test>.+)$/,
    messages: [/^ {2}(?<message>\S.*:)$/],
    until: /^ {2}\d+ tests? /,
  },
  {
    runner: "node:test",
    heading: /^ *✖ (?<test>\S.*) \(\d[\d.]*ms\)$/,
    until: /^ *[ℹ✔✖▶﹣]/,
  },
  {
    runner: "TAP",
    heading: /^ *not ok \d+(?: -)? (?<test>(?!.*# (?:TODO|SKIP)\b).+)$/i,
    messages: [
      /^\s*(?:error|message): [|>]-?$/,
      /^\s*(?:error|message): (?<message>[^|>].*)$/,
      /^#? +(?<message>`.*' failed.*)$/,
      /^ +@@ .*@@$/,
      /^# (?<message>(?!\(|tests |time=).+)$/,
      /^ {2}(?<message>(?!---|\.\.\.|at |\w+:)\S.*)$/,
    ],
    until: /^ *(?:ok|not ok|\d+\.\.\d+|# Subtest:|# tests )/,
  },
  {
    runner: "pytest",
    heading: /^_{3,} (?<test>.+) _{3,}$/,
    messages: [
      /^E +(?<message>\w*(?:Error|Exception|Exit|Failed|Warning)\b.*)$/,
      /^E +(?<message>\S.*)$/,
      /^(?<message>\w+(?:Error|Exception)\b.*)$/,
    ],
    until: /^=/,
    isPlaceLast: true,
  },
  {
    runner: "pytest --tb=line",
    heading: /^(?<place>\/\S+\.py:\d+): (?<message>assert .*|\w*(?:Error|Exception)\b.*)$/,
  },
  { runner: "pytest --tb=no", heading: /^(?:FAILED|ERROR) (?<test>\S+::.+?) - (?<message>.+)$/ },
  {
    runner: "unittest",
    heading: /^(?:FAIL|ERROR): (?<test>\S+ \(.*)$/,
    messages: PYTHON_ERRORS,
    until: /^(?:={70}|Ran \d)/,
    isPlaceLast: true,
    isMessageLast: true,
  },
  {
    runner: "go",
    heading: /^ *--- FAIL: (?<test>\S+) \(/,
    messages: GO_MESSAGES,
    until: /^\s*(?:--- |===|FAIL|ok {2}|PASS)/,
    since: /^=== (?:RUN|CONT|PAUSE)|^\s*--- /,
  },
  {
    runner: "gotestsum",
    heading: /^=== FAIL: (?<test>\S+ \S+) \(/,
    messages: GO_MESSAGES,
    until: /^(?:===|DONE)/,
  },
  {
    runner: "Rust",
    heading: /^thread '(?<test>[^']+)' (?:\(\d+\) )?panicked at (?<place>\S+:\d+):\d+:$/,
    until: /^$/,
  },
  {
    runner: "Rust before 1.73",
    heading: /^thread '(?<test>[^']+)' panicked at '(?<message>.*)', (?<place>\S+:\d+):\d+$/,
  },
  {
    runner: "minitest",
    after: /^ {2}\d+\) (?:Failure|Error):$/,
    heading: /^(?<test>\S+#[^[]+?)(?: \[(?<place>[^\]]+)\])?:$/,
    until: /^(?: {2}\d+\) |\d+ runs, )/,
  },
  {
    runner: "test-unit",
    heading: /^(?:Failure|Error): (?<test>\S+\([^)]*\))(?:: (?<message>.+))?$/,
    until: /^={70}/,
  },
  {
    runner: "ExUnit",
    heading: /^ {2}\d+\) (?<test>(?:test|doctest|property|feature) .+\))$/,
    until: /^Finished in /,
  },
  {
    runner: "rspec and jasmine",
    below: /^Failures:$/,
    heading: /^ {0,2}\d+\) (?<test>.+)$/,
    until: /^Finished in /,
  },
  { runner: "rspec", heading: /^An error occurred (?<test>while loading \S+)\.$/, until: /^Finished in / },
  { runner: "phpunit", heading: /^\d+\) (?<test>\S+::\S.*)$/, until: /^--$/ },
  { runner: "JUnit 4", heading: /^\d+\) (?<test>\w+\([\w.$]+\))$/, until: /^FAILURES!!!$/ },
  {
    runner: "TeamCity",
    heading:
      /^##teamcity\[testFailed name='(?<test>[^']*)' message='(?<message>[^']*)'(?: details='\s*(?<place>[^\s|']+:\d+))?/,
  },
  {
    runner: "deno",
    heading: /^(?<test>\S.*) => (?<testPlace>\.\/\S+:\d+):\d+$/,
    messages: [/^error: (?<message>.+)$/],
  },
  {
    runner: "bun",
    heading: /^\(fail\) (?<test>.+)$/,
    messages: [/^error: (?<message>.+)$/],
    until: /^/,
    since: /^\((?:pass|fail|skip|todo)\)|^bun test /,
  },
  { runner: "uvu", heading: /^ +FAIL +"(?<test>.+)"$/ },
  { runner: "tap", heading: /^✖ (?<test>.+)$/, messages: [/^ +@@ .*@@$/], until: /^(?:Asserts:|✖)/ },
  {
    runner: "Maven",
    heading: /^\[ERROR\] (?<test>(?!Tests run:)\S.*?)(?: --)? +Time elapsed: .* <<< (?:FAILURE|ERROR)!/,
    until: /^\[/,
  },
  { runner: "javac in Maven", heading: /^\[ERROR\] (?<place>\S+:\[\d+),\d+\] (?<message>.+)$/ },
  { runner: "Gradle", heading: /^(?<test>\S.* > \S.*) FAILED$/ },
  { runner: "dotnet", heading: /^\s*Failed (?<test>\S.*) \[[^\]]+\]$/ },
  { runner: "XCTest", heading: /^(?<place>\S+:\d+): error: (?<test>-\[[^\]]+\]|[\w.]+) : (?<message>.+)$/ },
  {
    runner: "Swift Testing",
    heading: /^\S+ +Test (?<test>.+?) recorded an issue .*?at (?<place>[^\s:]+:\d+):\d+: (?<message>.+)$/,
  },
  {
    runner: "cmocka and googletest",
    heading: /^\[ {2}FAILED {2}\] (?<test>\S+)(?: \(\d+ ms\))?$/,
    messages: [/^\[ +ERROR +\] --- (?<message>.+)$/, /^(?<message>(?!\[|\S+:\d+: ).+)$/],
    until: /^/,
    since: /^\[ RUN /,
  },
  { runner: "Check", heading: /^(?<place>\S+:\d+):[FE]:[^:]*:(?<test>[^:]+):\d+: (?<message>.+)$/ },
  { runner: "Unity", heading: /^(?<place>\S+:\d+):(?<test>\w+):FAIL(?:: (?<message>.+))?$/ },
  { runner: "Catch2", heading: /^(?<place>\S+:\d+): FAILED:$/ },
  {
    runner: "Test::More",
    heading: /^# {2,}Failed test '(?<test>.+)'$/,
    messages: [/^# +(?<message>(?:got|expected): .+)$/],
  },
  {
    runner: "phpunit --testdox and bats",
    heading: /(?:^|\d) ?[✗✘] (?<test>\S.*)$/,
    until: /^(?: [✔✓✗✘]|$)|\d+ tests?,/,
  },
  {
    runner: "JUnit's XML",
    heading: /^\s*<testcase\b.* name="(?<test>[^"]*)".*[^/]>$/,
    messages: [
      /<(?:failure|error)\b.* message="(?<message>[^"]+)"/,
      /<(?:failure|error)\b[^>]*>(?<message>[^<]+)/,
    ],
    until: /<\/testcase>/,
  },
  {
    runner: "ShellCheck",
    heading: /^In (?<file>\S+) line (?<line>\d+):$/,
    messages: [/^ *\^-*\^? (?<message>SC\d+ .*)$/],
    until: /^$/,
  },
  { runner: "ESLint", heading: /^ +(?<line>\d+):\d+ +error +(?<message>\S.*)$/ },
  {
    runner: "Rust's compiler",
    heading: /^error(?:\[E\d+\])?: (?<message>.+)$/,
    until: /^(?:$|error|warning)/,
    needsPlace: true,
  },
  {
    runner: "Python",
    heading: /^Traceback \(most recent call last\):$/,
    messages: PYTHON_ERRORS,
    isPlaceLast: true,
    isMessageLast: true,
  },
];

/** Said only if nothing else says more: a test's name, and how it ended. */
export const LAST_FORMS: readonly FailureForm[] = [
  { runner: "pytest -rf", heading: /^(?:FAILED|ERROR) (?<test>\S+\.py\S*)(?<message>)$/ },
  {
    runner: "ctest",
    below: /^The following tests FAILED:/,
    heading: /^\t *\d+ - (?<test>\S+) \((?<message>.+)\)$/,
  },
];
