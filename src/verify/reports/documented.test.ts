import { expect, test } from "vitest";
import { inWords } from "../../../test/support/recorded-reports.ts";
import { readTestReport } from "./read-test-report.ts";

/** What runners print by their documentation; nobody has recorded it. */
const DOCUMENTED: readonly (readonly [runner: string, told: string, lines: readonly string[]])[] = [
  [
    "dotnet test",
    "dotnet: 2 passed, 1 failed, 1 skipped",
    [
      "Starting test execution, please wait...",
      "A total of 1 test files matched the specified pattern.",
      "  Failed Total.Tests.UnitTest1.Wrong [12 ms]",
      "Failed!  - Failed:     1, Passed:     2, Skipped:     1, Total:     4, Duration: 12 ms - Total.Tests.dll (net8.0)",
    ],
  ],
  [
    "dotnet test of two projects at once",
    "dotnet: 5 passed; 2 reports",
    [
      "Starting test execution, please wait...",
      "Starting test execution, please wait...",
      "Passed!  - Failed:     0, Passed:     2, Skipped:     0, Total:     2, Duration: 5 ms - One.dll (net8.0)",
      "Passed!  - Failed:     0, Passed:     3, Skipped:     0, Total:     3, Duration: 5 ms - Two.dll (net8.0)",
    ],
  ],
  [
    "dotnet test with a detailed logger",
    "dotnet: 2 passed, 1 failed",
    ["Test Run Failed.", "Total tests: 3", "     Passed: 2", "     Failed: 1", " Total time: 1.2345 Seconds"],
  ],
  [
    "dotnet test in a terminal of .NET 9",
    "dotnet: 2 passed, 1 skipped",
    ["Test summary: total: 3, failed: 0, succeeded: 2, skipped: 1, duration: 1.2s"],
  ],
  [
    "XCTest",
    "XCTest: 1 passed, 1 failed; 2 named",
    [
      "Test Suite 'All tests' started at 2026-03-12 13:39:21.410.",
      "Test Suite 'TotalTests' started at 2026-03-12 13:39:21.411.",
      "Test Case 'TotalTests.testAdds' passed (0.001 seconds)",
      "Test Case 'TotalTests.testWrong' failed (0.001 seconds)",
      "Test Suite 'TotalTests' failed at 2026-03-12 13:39:21.412.",
      "\t Executed 2 tests, with 1 failure (0 unexpected) in 0.002 (0.002) seconds",
      "Test Suite 'All tests' failed at 2026-03-12 13:39:21.412.",
      "\t Executed 2 tests, with 1 failure (0 unexpected) in 0.002 (0.002) seconds",
    ],
  ],
  [
    "XCTest that ended early",
    "XCTest: none; 0 named; cut short",
    ["Test Suite 'All tests' started at 2026-03-12 13:39:21.410."],
  ],
  [
    "Swift Testing",
    "Swift Testing: 1 passed, 1 failed; 2 named",
    [
      "◇ Test run started.",
      "◇ Test adds() started.",
      "✔ Test adds() passed after 0.001 seconds.",
      "✘ Test wrong() recorded an issue at TotalTests.swift:9:5: Expectation failed: total(1, 2) == 4",
      "✘ Test wrong() failed after 0.001 seconds with 1 issue.",
      "✘ Test run with 2 tests in 1 suite failed after 0.002 seconds with 1 issue.",
    ],
  ],
  [
    "cargo nextest",
    "cargo nextest: 2 passed, 1 failed, 4 skipped; 3 named",
    [
      "    Starting 3 tests across 2 binaries (4 tests skipped)",
      "        PASS [   0.005s] total tests::adds",
      "        FAIL [   0.004s] total tests::wrong",
      "        PASS [   0.010s] (3/3) total::all many",
      "     Summary [   0.021s] 3 tests run: 2 passed (1 slow), 1 failed, 4 skipped",
      "        FAIL [   0.004s] total tests::wrong",
    ],
  ],
  ["Unity", "Unity: 2 passed, 1 failed", ["-----------------------", "3 Tests 1 Failures 0 Ignored", "FAIL"]],
  [
    "the console launcher of JUnit 5",
    "JUnit console: 2 passed, 1 failed, 1 skipped",
    [
      "[         4 tests found           ]",
      "[         1 tests skipped         ]",
      "[         3 tests started         ]",
      "[         0 tests aborted         ]",
      "[         2 tests successful      ]",
      "[         1 tests failed          ]",
    ],
  ],
  [
    "Pest",
    "Pest: 2 passed, 1 failed",
    ["", "  Tests:    1 failed, 2 passed (3 assertions)", "  Duration: 0.05s"],
  ],
  [
    "doctest",
    "doctest: 1 passed, 1 failed, 1 skipped",
    [
      '[doctest] doctest version is "2.4.11"',
      "[doctest] test cases:  2 | 1 passed | 1 failed | 1 skipped",
      "[doctest] assertions:  2 | 1 passed | 1 failed |",
    ],
  ],
];

test.each(DOCUMENTED)("the documented report of %s is read as: %s", (_, told, lines) => {
  expect(inWords(readTestReport(lines.join("\n")))).toBe(told);
});

const MODULE_BEGINS = "[INFO]  T E S T S";
const MODULE_ENDS = "[INFO] Tests run: 2, Failures: 0, Errors: 0, Skipped: 0";

test.each([
  ["whole", "Maven: 4 passed; 2 reports", [MODULE_BEGINS, MODULE_BEGINS, MODULE_ENDS, MODULE_ENDS]],
  ["cut short", "Maven: 2 passed; 2 reports; cut short", [MODULE_BEGINS, MODULE_BEGINS, MODULE_ENDS]],
  ["contradictory", "Maven: 2 passed; contradictory", [MODULE_BEGINS, MODULE_ENDS, MODULE_ENDS]],
])("modules of Maven that run side by side are %s", (_, told, lines) => {
  expect(inWords(readTestReport(lines.join("\n")))).toBe(told);
});

test.each([
  ["1 passed, 2 strange", null],
  ["2 runs, 2 assertions, 0 failures, 0 errors, 2 constructor", null],
  ["2 runs, 2 assertions, 0 failures, 0 errors, 0 skips", 2],
])("a closing line with a word that no runner has is none: %s", (line, executed) => {
  expect(readTestReport(line)?.executed ?? null).toBe(executed);
});
