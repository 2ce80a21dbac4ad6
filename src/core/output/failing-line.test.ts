import { expect, test } from "vitest";
import { effort } from "../../../test/support/effort.ts";
import { recorded, RECORDED } from "../../../test/support/recorded-reports.ts";
import { failingLine } from "./failing-line.ts";

/** What each recorded output that is red says in a line: the test, what went wrong, and where. */
const TOLD: readonly (readonly [scene: string, line: string])[] = [
  ["ava/fail", "adds wrongly: Difference (- actual, + expected): - 3 + 4 (test/fail.test.js:4)"],
  [
    "ava/missing",
    "Error [ERR_MODULE_NOT_FOUND]: Cannot find module '/project/gone.js' imported from /project/test/missing.test.js",
  ],
  ["bats/mixed", 'adds wrongly: `[ "$sum" -eq 4 ]\' failed (test/total.bats:8)'],
  ["bats/mixed-junit", 'adds wrongly: `[ "$sum" -eq 4 ]\' failed (test/total.bats:8)'],
  ["bats/mixed-pretty", 'adds wrongly: `[ "$sum" -eq 4 ]\' failed (test/total.bats:8)'],
  ["bats/mixed-tap13", 'adds wrongly: `[ "$sum" -eq 4 ]\' failed (test/total.bats:8)'],
  [
    "bats/syntax",
    "setup_file failed: /project/test/total.bats: line 3: syntax error near unexpected token `}'",
  ],
  ["bun/fail", "of many > adds wrongly: expect(received).toBe(expected), Expected: 7, Received: 6"],
  ["bun/missing", "error: Cannot find module '../gone.js' from '/project/test/missing.test.js'"],
  ["bun/syntax", "Unexpected end of file (/project/test/syntax.test.js:3)"],
  ["cargo/mixed", "wrong: assertion `left == right` failed, left: 1, right: 2 (tests/all.rs:5)"],
  ["cargo/mixed-colour", "wrong: assertion `left == right` failed, left: 1, right: 2 (tests/all.rs:5)"],
  ["cargo/mixed-quiet", "wrong: assertion `left == right` failed, left: 1, right: 2 (tests/all.rs:5)"],
  ["cargo/syntax", "this file contains an unclosed delimiter (tests/all.rs:2)"],
  ["catch2/fail", "REQUIRE( sum == 4 ), with expansion: 3 == 4 (total_test.cc:7)"],
  ["check/fail", "many: Assertion '1 + 2 == 4' failed: 1 + 2 == 3, 4 == 4 (total_test.c:7)"],
  ["cmocka/fail", "many: 0x3 != 0x4 (total_test.c:10)"],
  ["ctest/mixed", "wrong: Subprocess aborted"],
  ["ctest/mixed-output", "total_test: /project/total_test.c:7: main: Assertion `sum == 4' failed."],
  ["ctest/mixed-verbose", "2: total_test: /project/total_test.c:7: main: Assertion `sum == 4' failed."],
  [
    "deno/exitWithin",
    "ends it all: Error: Test case attempted to exit with exit code: 0 (/project/test/exitWithin.test.js:7)",
  ],
  [
    "deno/fail",
    "adds wrongly: AssertionError: Expected values to be strictly equal: 6 !== 7 (/project/test/fail.test.js:8)",
  ],
  ["deno/missing", 'Module not found "file:///project/gone.js". (/project/test/missing.test.js:5)'],
  ["deno/syntax", "SyntaxError: Expected ',', got '<eof>' (/project/test/syntax.test.js:5)"],
  [
    "exunit/mixed",
    "test adds wrongly (TotalTest): Assertion with == failed, left: 3, right: 4 (test/total_test.exs:8)",
  ],
  [
    "exunit/mixed-colour",
    "test adds wrongly (TotalTest): Assertion with == failed, left: 3, right: 4 (test/total_test.exs:8)",
  ],
  [
    "exunit/mixed-trace",
    "test adds wrongly (TotalTest): Assertion with == failed, left: 3, right: 4 (test/total_test.exs:8)",
  ],
  [
    "exunit/syntax",
    '** (TokenMissingError) test/total_test.exs:2:1: missing terminator: end (for "do" starting at line 1)',
  ],
  ["go/mixed", "TestWrong: wrong (total_test.go:7)"],
  ["go/mixed-json", "TestWrong: wrong (total_test.go:7)"],
  ["go/mixed-verbose", "TestWrong: wrong (total_test.go:7)"],
  ["go/syntax", "total_test.go:5:23: expected ')', found 'EOF'"],
  ["go/syntax-json", "total_test.go:5:23: expected ')', found 'EOF'"],
  ["go/syntax-verbose", "total_test.go:5:23: expected ')', found 'EOF'"],
  [
    "googletest/mixed",
    "Total.Wrong: Expected equality of these values: 1 + 2 Which is: 3 4 (total_test.cc:5)",
  ],
  ["gotestsum/mixed", ". TestWrong: wrong (total_test.go:7)"],
  ["gotestsum/mixed-testname", "TestWrong: wrong (total_test.go:7)"],
  ["gotestsum/mixed-verbose", "TestWrong: wrong (total_test.go:7)"],
  ["gotestsum/syntax", "total_test.go:5:23: expected ')', found 'EOF'"],
  ["gradle/mixed", "TotalTest > error: java.lang.IllegalStateException at TotalTest.java:10"],
  ["gradle/mixed-events", "TotalTest > error: java.lang.IllegalStateException at TotalTest.java:10"],
  ["gradle/syntax", ":compileTestJava/project/src/test/java/TotalTest.java:6: error: illegal start of type"],
  ["jasmine/fail", "of many adds wrongly: Expected 6 to be 7. (/project/test/fail.test.js:2)"],
  [
    "jasmine/missing",
    "Error [ERR_MODULE_NOT_FOUND]: Cannot find module '/project/gone.js' imported from /project/test/missing.test.js",
  ],
  [
    "jasmine/syntax",
    "Error: While loading /project/test/syntax.test.js: SyntaxError: Unexpected end of input",
  ],
  [
    "jest/fail",
    "of many › adds wrongly: expect(received).toBe(expected) // Object.is equality, Expected: 7, Received: 6 (test/fail.test.js:1)",
  ],
  ["jest/missing", "Test suite failed to run: Cannot find module '../gone.js' from 'test/missing.test.js'"],
  [
    "jest/syntax",
    "Test suite failed to run: SyntaxError: /project/test/syntax.test.js: Unexpected token (3:0)",
  ],
  ["junit4/mixed", "error(TotalTest): java.lang.IllegalStateException: no set-up (TotalTest.java:10)"],
  ["maven/mixed", "TotalTest.error: java.lang.IllegalStateException: no set-up (TotalTest.java:10)"],
  ["maven/mixed-quiet", "TotalTest.error: java.lang.IllegalStateException: no set-up (TotalTest.java:10)"],
  ["maven/syntax", "illegal start of type (/project/src/test/java/TotalTest.java:6)"],
  ["minitest/mixed", "TotalTest#test_wrong: Expected: 4, Actual: 3 (test/total_test.rb:7)"],
  ["minitest/mixed-rake", "TotalTest#test_wrong: Expected: 4, Actual: 3 (/project/test/total_test.rb:7)"],
  ["minitest/mixed-verbose", "TotalTest#test_error: RuntimeError: no set-up (test/total_test.rb:11)"],
  ["minitest/syntax", "test/total_test.rb:4: syntax error, unexpected end-of-input, expecting ')'"],
  [
    "mocha/fail",
    "of many > adds wrongly: AssertionError [ERR_ASSERTION]: Expected values to be strictly equal: 6 !== 7 (/project/test/fail.test.js:7)",
  ],
  [
    "mocha/fail-tap",
    "of many adds wrongly: Expected values to be strictly equal: 6 !== 7 (/project/test/fail.test.js:7)",
  ],
  [
    "mocha/fail-xunit",
    "adds wrongly: Expected values to be strictly equal: 6 !== 7 (/project/test/fail.test.js:7)",
  ],
  [
    "mocha/missing",
    "Exception during run: Error [ERR_MODULE_NOT_FOUND]: Cannot find module '/project/gone.js' imported from /project/test/missing.test.js",
  ],
  [
    "mocha/syntax",
    "Exception during run: SyntaxError[ @/project/test/syntax.test.js ]: Unexpected end of input",
  ],
  [
    "node-spec/fail",
    "adds wrongly: AssertionError [ERR_ASSERTION]: Expected values to be strictly equal: 6 !== 7 (/project/test/fail.test.js:7)",
  ],
  [
    "node-spec/missing",
    "Error [ERR_MODULE_NOT_FOUND]: Cannot find module '/project/gone.js' imported from /project/test/missing.test.js",
  ],
  ["node-spec/syntax", "SyntaxError: Unexpected end of input (/project/test/syntax.test.js:5)"],
  [
    "node-spec/two-files",
    "adds wrongly: AssertionError [ERR_ASSERTION]: Expected values to be strictly equal: 6 !== 7 (/project/test/fail.test.js:7)",
  ],
  [
    "node-tap/fail",
    "adds wrongly: Expected values to be strictly equal: 6 !== 7 (/project/test/fail.test.js:7)",
  ],
  [
    "node-tap/missing",
    "Error [ERR_MODULE_NOT_FOUND]: Cannot find module '/project/gone.js' imported from /project/test/missing.test.js",
  ],
  ["node-tap/syntax", "SyntaxError: Unexpected end of input (/project/test/syntax.test.js:1)"],
  [
    "node-tap/two-files",
    "adds wrongly: Expected values to be strictly equal: 6 !== 7 (/project/test/fail.test.js:7)",
  ],
  ["phpunit/mixed", "MixedTest::testError: RuntimeException: no set-up (/project/MixedTest.php:8)"],
  ["phpunit/mixed-colour", "MixedTest::testError: RuntimeException: no set-up (/project/MixedTest.php:8)"],
  [
    "phpunit/mixed-teamcity",
    "testWrong: Failed asserting that 3 is identical to 4. (/project/MixedTest.php:7)",
  ],
  ["phpunit/mixed-testdox", "Wrong: Failed asserting that 3 is identical to 4. (/project/MixedTest.php:7)"],
  [
    "phpunit/syntax",
    "PHP Fatal error: Uncaught ParseError: Unclosed '{' on line 4 in /project/SyntaxTest.php:5",
  ],
  [
    "playwright/exitWithin",
    "ends it all: Error: worker process exited unexpectedly (code=0, signal=null) (test/exitWithin.test.js:6)",
  ],
  [
    "playwright/fail",
    "of many › adds wrongly: Error: expect(received).toBe(expected) // Object.is equality, Expected: 7, Received: 6 (/project/test/fail.test.js:3)",
  ],
  [
    "playwright/fail-list",
    "of many › adds wrongly: Error: expect(received).toBe(expected) // Object.is equality, Expected: 7, Received: 6 (/project/test/fail.test.js:3)",
  ],
  [
    "playwright/missing",
    "Error: Cannot find module '/project/gone.js' imported from /project/test/missing.test.js",
  ],
  [
    "playwright/syntax",
    "SyntaxError: /project/test/syntax.test.js: Unexpected token (5:0) (test/syntax.test.js:5)",
  ],
  ["prove/mixed", "adds wrongly: got: '3', expected: '4' (t/total.t:3)"],
  ["prove/mixed-verbose", "adds wrongly: got: '3', expected: '4' (t/total.t:3)"],
  ["prove/syntax", 'syntax error at t/total.t line 2, near "1;" (t/total.t:2)'],
  ["pytest/fail", "test_wrong: assert (1 + 2) == 4 (test_fail.py:5)"],
  ["pytest/fail-line", "assert (1 + 2) == 4 (/project/test_fail.py:5)"],
  ["pytest/fail-native", "test_wrong: AssertionError: assert (1 + 2) == 4 (/project/test_fail.py:5)"],
  ["pytest/fail-no", "test_fail.py::test_wrong: assert (1 + 2) == 4"],
  ["pytest/fail-quieter", "test_wrong: assert (1 + 2) == 4 (test_fail.py:5)"],
  ["pytest/fail-short", "test_wrong: assert (1 + 2) == 4 (test_fail.py:5)"],
  [
    "pytest/missing",
    "ERROR collecting test_missing.py: ModuleNotFoundError: No module named 'gone' (test_missing.py:1)",
  ],
  [
    "pytest/missing-quieter",
    "ERROR collecting test_missing.py: ModuleNotFoundError: No module named 'gone' (test_missing.py:1)",
  ],
  ["pytest/mixed", "ERROR at setup of test_without_set_up: ValueError: no set-up (test_mixed.py:20)"],
  ["pytest/mixed-all", "ERROR at setup of test_without_set_up: ValueError: no set-up (test_mixed.py:20)"],
  ["pytest/mixed-junit", "ERROR at setup of test_without_set_up: ValueError: no set-up (test_mixed.py:20)"],
  ["pytest/mixed-quiet", "ERROR at setup of test_without_set_up: ValueError: no set-up (test_mixed.py:20)"],
  ["pytest/mixed-quieter", "ERROR at setup of test_without_set_up: ValueError: no set-up (test_mixed.py:20)"],
  ["pytest/mixed-verbose", "ERROR at setup of test_without_set_up: ValueError: no set-up (test_mixed.py:20)"],
  [
    "pytest/mixed-verbose-colour",
    "ERROR at setup of test_without_set_up: ValueError: no set-up (test_mixed.py:20)",
  ],
  [
    "pytest/syntax",
    "ERROR collecting test_syntax.py: SyntaxError: invalid syntax (/project/test_syntax.py:1)",
  ],
  [
    "rspec/missing",
    "while loading ./spec/missing_spec.rb: LoadError: cannot load such file -- gone (spec/missing_spec.rb:1)",
  ],
  [
    "rspec/missing-json",
    "while loading ./spec/missing_spec.rb: LoadError: cannot load such file -- gone (spec/missing_spec.rb:1)",
  ],
  ["rspec/mixed", "total adds wrongly: expected: 2, got: 1 (spec/mixed_spec.rb:3)"],
  ["rspec/mixed-json", "total adds wrongly: expected: 2, got: 1 (spec/mixed_spec.rb:3)"],
  ["rspec/mixed-names", "total adds wrongly: expected: 2, got: 1 (spec/mixed_spec.rb:3)"],
  ["rspec/mixed-names-colour", "total adds wrongly: expected: 2, got: 1 (spec/mixed_spec.rb:3)"],
  [
    "rspec/syntax",
    'while loading ./spec/syntax_spec.rb: SyntaxError: /project/spec/syntax_spec.rb:2: syntax error, unexpected end-of-input it("never closed") {',
  ],
  ["tap/fail", "adds wrongly: -4 +3 (test/fail.test.js:4)"],
  ["tap/fail-node", "adds wrongly: -4 +3 (test/fail.test.js:4)"],
  ["tape/fail", "should be strictly equal: expected: 4, actual: 3 (/project/test/fail.test.js:4)"],
  ["tape/fail-program", "should be strictly equal: expected: 4, actual: 3 (/project/test/fail.test.js:4)"],
  ["test-unit/mixed", "test_error(TotalTest): RuntimeError: no set-up (test/total_test.rb:11)"],
  ["test-unit/mixed-verbose", "test_error(TotalTest): RuntimeError: no set-up (test/total_test.rb:11)"],
  [
    "unittest/missing",
    "test_missing (unittest.loader._FailedTest.test_missing): ModuleNotFoundError: No module named 'gone' (/project/test_missing.py:1)",
  ],
  ["unittest/mixed", "test_error (test_mixed.Total.test_error): ValueError (/project/test_mixed.py:11)"],
  [
    "unittest/mixed-verbose",
    "test_error (test_mixed.Total.test_error): ValueError (/project/test_mixed.py:11)",
  ],
  ["unittest/syntax", "SyntaxError: invalid syntax (/project/test_syntax.py:1)"],
  ["unittest/syntax-verbose", "SyntaxError: invalid syntax (/project/test_syntax.py:1)"],
  [
    "uvu/fail",
    "adds wrongly: Expected values to be strictly equal: (is), ++4 (Expected), --3 (Actual) (/project/test/fail.test.js:6)",
  ],
  [
    "vitest/exitWithin",
    'test/exitWithin.test.js > ends it all: Error: process.exit unexpectedly called with "0" (test/exitWithin.test.js:5)',
  ],
  [
    "vitest/fail",
    "test/fail.test.js > of many > adds wrongly: AssertionError: expected 6 to be 7 // Object.is equality (test/fail.test.js:2)",
  ],
  [
    "vitest/missing",
    "test/missing.test.js [ test/missing.test.js ]: Error: Cannot find module '../gone.js' imported from /project/test/missing.test.js (test/missing.test.js:3)",
  ],
  [
    "vitest/syntax",
    "test/syntax.test.js [ test/syntax.test.js ]: Error: Failed to parse source for import analysis because the content contains invalid JS syntax. If you are using JSX, make sure to name the file with the .jsx or .tsx extension. (/project/test/syntax.test.js:1)",
  ],
];

/** As it is installed in a project. */
const printed = (scene: string): string => recorded(scene).replaceAll("/runners/", "/project/node_modules/");

test.each(TOLD)("of the recorded output of %s, the line that tells of the failure is: %s", (scene, line) => {
  expect(failingLine(printed(scene))).toBe(line);
});

const OTHERS: readonly (readonly [tool: string, output: readonly string[], line: string])[] = [
  [
    "a file of vitest with many tests",
    [
      " ❯ test/parse.test.ts (45 tests | 1 failed) 93ms",
      "   × parses a port 4ms",
      "",
      " FAIL  test/parse.test.ts > parses a port",
      "AssertionError: expected undefined to be '80' // Object.is equality",
      " ❯ test/parse.test.ts:12:30",
    ],
    "test/parse.test.ts > parses a port: AssertionError: expected undefined to be '80' // Object.is equality (test/parse.test.ts:12)",
  ],
  [
    "pytest, whose code is not its error",
    [
      "______ TestSigner.test_signs ______",
      "    def test_signs(self):",
      ">       assert isinstance(signed, bytes)",
      "E       assert False",
      "E        +  where False = isinstance('x.y', bytes)",
      "",
      "tests/test_signer.py:31: AssertionError",
    ],
    "TestSigner.test_signs: assert False, + where False = isinstance('x.y', bytes) (tests/test_signer.py:31)",
  ],
  [
    "testify",
    [
      "--- FAIL: TestTotal (0.00s)",
      "    total_test.go:9: ",
      "        \tError Trace:\t/project/total_test.go:9",
      "        \tError:      \tNot equal: ",
      "        \t            \texpected: 4",
      "        \t            \tactual  : 3",
    ],
    "TestTotal: Not equal: expected: 4 actual : 3 (total_test.go:9)",
  ],
  [
    "TypeScript",
    ["src/a.ts(3,5): error TS2322: Type 'x' is not assignable."],
    "src/a.ts(3,5): error TS2322: Type 'x' is not assignable. (src/a.ts:3)",
  ],
  [
    "ESLint",
    [
      "/project/src/a.js",
      "  3:5  error  'x' is not defined  no-undef",
      "",
      "✖ 1 problem (1 error, 0 warnings)",
    ],
    "'x' is not defined no-undef (/project/src/a.js:3)",
  ],
  [
    "mypy",
    ["a.py:3: error: Incompatible types", "Found 1 error in 1 file (checked 1 source file)"],
    "a.py:3: error: Incompatible types",
  ],
  [
    "gcc",
    ["a.c: In function 'main':", "a.c:3:5: warning: unused variable 'y'", "a.c:4:5: error: 'x' undeclared"],
    "a.c:4:5: error: 'x' undeclared",
  ],
  [
    "assert of C",
    ["a.out: test.c:9: main: Assertion `x == 4' failed.", "make: *** [Makefile:4: test] Aborted"],
    "a.out: test.c:9: main: Assertion `x == 4' failed.",
  ],
  [
    "dotnet test",
    [
      "  Failed Total.Tests.Wrong [12 ms]",
      "  Error Message:",
      "   Assert.Equal() Failure: Values differ",
      "Expected: 4",
      "Actual:   3",
      "  Stack Trace:",
      "     at Total.Tests.Wrong() in /project/UnitTest1.cs:line 12",
    ],
    "Total.Tests.Wrong: Assert.Equal() Failure: Values differ, Expected: 4, Actual: 3 (/project/UnitTest1.cs:12)",
  ],
  [
    "XCTest",
    ['/project/T.swift:9: error: TotalTests.testWrong : XCTAssertEqual failed: ("3") is not equal to ("4")'],
    'TotalTests.testWrong: XCTAssertEqual failed: ("3") is not equal to ("4") (/project/T.swift:9)',
  ],
  [
    "Swift Testing",
    ["✘ Test wrong() recorded an issue at T.swift:9:5: Expectation failed: total(1, 2) == 4"],
    "wrong(): Expectation failed: total(1, 2) == 4 (T.swift:9)",
  ],
  [
    "Unity",
    ["test.c:12:test_wrong:FAIL: Expected 4 Was 3", "1 Tests 1 Failures 0 Ignored"],
    "test_wrong: Expected 4 Was 3 (test.c:12)",
  ],
  ["a script's own words", ["starting", "no network"], "no network"],
];

test.each(OTHERS)("the line that tells of the failure is found in the output of %s", (_, output, line) => {
  expect(failingLine(output.join("\n"))).toBe(line);
});

test.each([
  ["# tests 3\n# pass 3\n# fail 0"],
  ["running 0 tests\n\ntest result: ok. 0 passed; 0 failed; 0 ignored"],
  ["OK (2 tests, 2 assertions)"],
  [""],
])("success is never quoted as a failure: %j", (output) => {
  expect(failingLine(output)).toBeNull();
});

/** A check's output is kept by its last 4,000 characters, which may begin in the middle of a failure. */
test("the end of a long output says as much, where the failure is in it", () => {
  const isCut = ([scene, line]: readonly [string, string]): boolean =>
    failingLine(printed(scene).slice(-4_000)) !== line;
  expect(TOLD.filter(isCut).map(([scene]) => scene)).toEqual([
    "jest/syntax",
    "pytest/fail-native",
    "rspec/mixed-json",
  ]);
});

/** Pieces that make a pattern try many ways. One that backtracks does not come back before the test's time is over. */
const PIECES = [
  ...[
    "a.b:1",
    "at ",
    "a/b.c:1:",
    "_ ",
    "E  ",
    "✖ a (1ms)",
    "not ok 1 - ",
    "Error: ",
    "A > b ",
    " > ",
    "x:1: ",
  ],
  ...[
    "# ",
    "  1) a",
    "(",
    "[",
    '<testcase name="a"><',
    '{"Output":"',
    "- ",
    "+ ",
    "=== RUN a\n",
    " FAIL  a > b\n",
  ],
  ...["\u001b[1", "thread 'a' panicked at 'b', ", "=> ./a:1:1", "Test a recorded an issue at at "],
];
const LIMIT = effort(64, 256) * 1024;

test.each(PIECES)("an output full of %j is read", (piece) => {
  const whole = piece.repeat(Math.ceil(LIMIT / piece.length));
  for (const text of [whole, whole.replace(/[^]{400}/g, "$&\n")])
    expect(() => failingLine(text)).not.toThrow();
});

test("every output that was recorded is read", () => {
  for (const scene of RECORDED) expect(() => failingLine(recorded(scene))).not.toThrow();
});

test.each([
  [
    "same: a\n1,2c1\n< tea 1000\n< rice 1\n---\n> tea 900\nmake: *** [Makefile:2: test] Error 1\n",
    "< tea 1000, > tea 900",
  ],
  ["--- a.out\n+++ b.out\n@@ -1 +1 @@\n-tea 1000\n+tea 900\n", "b.out: -tea 1000, +tea 900"],
  [
    "In src/a.sh line 2:\nfor x in $(ls); do\n         ^---^ SC2045 (error): Use globs.\n\nFor more information:\n",
    "SC2045 (error): Use globs. (src/a.sh:2)",
  ],
])("what a tool says that runs no tests is quoted: %j", (output, line) => {
  expect(failingLine(output)).toBe(line);
});

test("a comparison is quoted although it has a word and a number as summaries have", () => {
  const line = "FAILED: expected Total 17.00, got An item without a name";
  expect(failingLine(`ok     adds\n${line}\n`)).toBe(line);
});

test.each([
  ["PASS none\nFAIL sum\n  wanted [5]\n  got    [2]\nPASS last\n", "FAIL sum: wanted [5], got [2]"],
  ["PASS none\nFAIL sum\nPASS last\n", "FAIL sum"],
  ["PASS none\nFAILED: cases/one.txt\n1 failed\n", "FAILED: cases/one.txt"],
  ["FAIL 2\n2 of 3 tests\n", "FAIL 2"],
])("a script's word for one failure is quoted, with what stands below it: %j", (output, line) => {
  expect(failingLine(output)).toBe(line);
});

test("of a difference between two numbers, the numbers are quoted and not which sign is whose", () => {
  const output = `not ok 1 - rounds
  ---
  location: '/p/tax.test.js:2:1'
  failureType: 'testCodeFailure'
  error: |-
    Expected values to be strictly equal:
    + actual - expected
    
    + 0.026000000000000002
    - 0.03
         ^
  code: 'ERR_ASSERTION'
  ...
1..1
`;
  expect(failingLine(output)).toContain(
    "rounds: Expected values to be strictly equal: + 0.026000000000000002 - 0.03",
  );
});

test("a place in a worktree of ours is named as in the project", () => {
  const path = "/home/u/.local/state/loopwright/worktrees/1c9093e483ed4a74/fix-a1b2/work-1";
  const line = failingLine(
    `not ok 1 - adds\n  ---\n  location: '${path}/test/a.test.js:4:1'\n  error: 'wrong'\n  ...\n`,
  );
  expect(line).toBe("adds: wrong (test/a.test.js:4)");
});
