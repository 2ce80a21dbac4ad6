import * as fc from "fast-check";
import { expect, test } from "vitest";
import { effort } from "../../../test/support/effort.ts";
import { RECORDED, recorded } from "../../../test/support/recorded-reports.ts";
import { compareReports } from "./compare-reports.ts";
import { readTestReport } from "./read-test-report.ts";
import type { TestReport } from "./test-report.ts";

const LINES = [...new Set(RECORDED.flatMap((scene) => recorded(scene).split("\n")))];
/** A kept output has 256 KB at most. */
const LIMIT = effort(64, 256) * 1024;

test("any text is read, and its numbers agree with each other", () => {
  const line = fc.oneof(fc.constantFrom(...LINES), fc.string({ unit: "binary" }));
  fc.assert(
    fc.property(fc.array(line, { maxLength: 60 }), (lines) => {
      expect(isSound(readTestReport(lines.join("\n")))).toBe(true);
    }),
    { numRuns: effort(300, 5000) },
  );
});

function isSound(report: TestReport | null): boolean {
  if (report === null) return true;
  const { executed, passed, failed, skipped, todo, deselected, errors, names } = report;
  const isCounted = [passed, failed, skipped, todo, deselected, errors].every((count) => count >= 0);
  return isCounted && executed === passed + failed && (names?.length ?? 0) <= executed;
}

/** Pieces that make a pattern try many ways, each repeated up to the size of a kept output, in one line and in many. */
const PIECES = [
  "test_a.py::b PASSED (",
  "PASSED a::b - ",
  "1 passed, ",
  "--- PASS: (0.0s)",
  "ok 1 - a # skip { \\# ",
  '<testcase name="a',
  "<testcase '<testcase \"",
  "<testsuite><!--<![CDATA[",
  "✔ a (1ms) (1ms",
  "  ✓ a > b 1ms",
  "  1) a (1 ms)",
  "\u001b[1;1;1;1;1;1",
  "\u001b]8;;",
  "test a ... ok ... ",
  "====== ",
  '{"Action":"run","Package":"a","Test":"b"}',
  "TAP version 13\n1..1\n",
  "1..1\nok 1\n",
  "=== RUN   A\n",
  " RUN  v1\n",
  "running 1 test\n",
  "  ─\n\n",
  "▶ a\n  ",
  "# Subtest: a\n ",
  "ℹ tests 1\nℹ suites 0\n",
  "ℹ tests 1\nℹ suites 0\nℹ pass 1\nℹ fail 0\nℹ cancelled 0\nℹ skipped 0\nℹ todo 0\nℹ duration_ms 1\n",
  "  1 passing (1ms)\n",
  "1 example, 0 failures\n",
  "PHPUnit 9.6.7 by Sebastian Bergmann\nOK (1 test, 1 assertion)\n",
  "Tests: 1, Assertions: 1, Failures: 1, ",
  "1 tests, 1 failures, 1 skipped, ",
  "1 doctest, 1 test, ",
  "ok | 1 passed | 1 failed (1 step) (1ms) ",
  "running 1 test from ./a.ts\n",
  "A > b PASSED FAILED ",
  "1/2 Test #1: a ..... ",
  "[==========] Running 1 test from 1 test suite.\n",
  "  Total:     1\n",
  "....F.. [100%]\n",
  ".",
  '{"version":"1","summary_line":"',
  ...["(", "=", " ", "\t", "<", "-", "1", "\r", "::"],
];

/** A pattern that backtracks does not come back before the test's time is over. */
test.each(PIECES)("a long output full of %j is read", (piece) => {
  const whole = piece.repeat(Math.ceil(LIMIT / piece.length));
  for (const text of [whole, whole.replace(/[^]{1000}/g, "$&\n")])
    expect(() => readTestReport(text)).not.toThrow();
});

test("a report that a runner prints inside another one's is what a test printed", () => {
  const [beginning = "", ...rest] = recorded("pytest/pass").split("\n");
  const output = [beginning, recorded("mocha/pass"), recorded("cargo/pass"), ...rest].join("\n");
  expect(readTestReport(output)).toEqual(readTestReport(recorded("pytest/pass")));
});

test.each([
  ["vitest/pair", "pytest/pass", 13],
  ["node-tap/pass", "node-tap/pass", 8],
  ["mocha/pass", "mocha/pass-dot", 8],
  ["jest/pass", "jest/pair", 13],
  ["ava/pass", "rspec/pass", 4],
  ["unittest/pass", "unittest/mixed", 5],
  ["cargo/pass", "go/pass-json", 9],
  ["playwright/pass", "playwright/mixed-list", 9],
  ["mocha/fail-tap", "mocha/fail-tap", 4],
  ["phpunit/pass", "minitest/mixed-rake", 5],
  ["pytest/pass-quieter", "pytest/fail-quieter", 6],
  ["pytest/pass-quieter", "pytest/pass", 8],
  ["maven/pass", "maven/mixed", 5],
  ["exunit/pass", "bats/pass-pretty", 4],
  ["deno/pass", "bun/pass", 8],
  ["rspec/pass-json", "rspec/mixed-json", 4],
])("%s and %s, one after the other, executed %i", (one, other, executed) => {
  const report = readTestReport(`${recorded(one)}\n> test\n\n${recorded(other)}`);
  expect(report).toMatchObject({ executed, isCutShort: false, isContradictory: false });
});

test("a report that is cut short stays so behind a whole one", () => {
  const report = readTestReport(`${recorded("mocha/pass")}\n${recorded("mocha/exitWithin")}`);
  expect(report).toMatchObject({ executed: 4, isCutShort: true });
});

/** The beginning and the end of an output, as a check's is kept. */
function shortened(output: string, share: number): string {
  const lines = output.split("\n");
  const head = lines.slice(0, Math.floor(lines.length * share));
  const tail = lines.slice(Math.ceil(lines.length * (1 - share)));
  return [...head, "[… 4096 bytes left out …]", ...tail].join("\n");
}

test.each(["vitest/pair-verbose", "jest/pair-verbose", "pytest/pass-verbose"])(
  "%s without its middle still has its numbers",
  (scene) => {
    const { executed, skipped } = readTestReport(recorded(scene)) ?? {};
    const report = readTestReport(shortened(recorded(scene), 0.4));
    expect(report).toMatchObject({ executed, skipped, names: null, isCutShort: false, isPartial: false });
  },
);

test.each(["go/pass-verbose", "tap/fail-node", "mocha/fail-xunit"])(
  "%s without its middle can't be counted, and says so",
  (scene) => {
    expect(readTestReport(shortened(recorded(scene), 0.4))).toMatchObject({ names: null, isPartial: true });
  },
);

test.each(["FAIL 4: expected IV, got IIII", "FAIL roman 4 -", "PASS roman 3", "PASS roman 3.5"])(
  "what a script prints is no report of jest: %s",
  (line) => {
    expect(readTestReport(`${line}\n`)).toBeNull();
  },
);

test("a line that begins like a point of TAP, and goes on otherwise, is none", () => {
  expect(readTestReport("ok 1.2.3 1.2.4\nnot ok 1.10.0 1.9.0: got -1, wanted 1\n1 failed\n")).toBeNull();
});

test("points without a version and a plan are no report that could be cut short", () => {
  expect(readTestReport("ok 1 - greets\nok 2 - bows\n")).toBeNull();
});

test.each(["TAP version 13\nok 1 - greets\n", "1..2\nok 1 - greets\n", "ok 1 - greets\nBail out!\n"])(
  "points are a report, and are cut short, after whatever says that there is more: %j",
  (output) => {
    expect(readTestReport(output)).toMatchObject({ passed: 1, isCutShort: true });
  },
);

test("a report whose plan stands at its end is missing once the plan is", () => {
  const opening = readTestReport("ok 1 - greets\nok 2 - bows\n1..2\n");
  expect(compareReports(opening, readTestReport("ok 1 - greets\n"))).toMatchObject([{ kind: "missing" }]);
});
