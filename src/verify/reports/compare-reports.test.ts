import { expect, test } from "vitest";
import { RECORDED, recorded } from "../../../test/support/recorded-reports.ts";
import { compareReports, ranNothing } from "./compare-reports.ts";
import { readTestReport } from "./read-test-report.ts";

function compared(baseline: string, now: string): readonly string[] {
  const findings = compareReports(readTestReport(baseline), readTestReport(now));
  return findings.filter(({ isNew }) => isNew).map(({ kind, text }) => `${kind}: ${text}`);
}

const between = (baseline: string, now: string): readonly string[] =>
  compared(recorded(baseline), recorded(now));

test.each(RECORDED)("%s is nothing new against itself", (scene) => {
  const report = readTestReport(recorded(scene));
  const findings = compareReports(report, report).filter(({ isNew, kind }) => isNew && kind !== "none");
  expect(findings).toEqual([]);
});

test("tests that were added or turned green are nothing to tell", () => {
  expect(between("node-spec/fail", "node-spec/two-files")).toEqual([]);
  expect(between("cargo/syntax", "cargo/pass")).toEqual([]);
  expect(between("pytest/missing", "pytest/pass")).toEqual([]);
});

test("tests that vanished are named, five at most", () => {
  expect(between("node-spec/pass", "node-spec/only")).toEqual([
    'fewer: 2 tests executed, 4 at the opening. Not executed now: "of many > adds all", "of many > or few > takes one", "of many > or few > takes none".',
  ]);
  const [finding] = between("jest/pair-verbose", "jest/only");
  expect(finding).toMatch(
    /^fewer: 1 test executed, 9 at the opening\. .*("[^"]*", ){4}"[^"]*" and 4 more\.$/,
  );
});

test("numbers are compared where there are no names", () => {
  expect(between("pytest/pass", "pytest/fail")).toEqual(["fewer: 2 tests executed, 4 at the opening."]);
  expect(between("go/pass", "go/none")).toEqual([
    'fewer: 1 package executed, 2 at the opening. Not executed now: "example.com/total".',
  ]);
});

test("other tests in place of the opening's are told", () => {
  expect(between("mocha/fail", "mocha/pass")).toEqual([
    'other-names: 1 test of the opening not executed, although others were: "of many > adds wrongly".',
  ]);
});

test("tests named after a moment, a random number or a module that moved are the same tests", () => {
  const report = (...names: readonly string[]) => ({
    ...readTestReport(recorded("mocha/pass"))!,
    executed: names.length,
    names,
  });
  const kinds = (before: readonly string[], now: readonly string[]): readonly string[] =>
    compareReports(report(...before), report(...now)).map(({ kind }) => kind);
  expect(
    kinds(["0.5226 passes", "1794978765483 passes"], ["0.9913452 passes", "1794978999999 passes"]),
  ).toEqual([]);
  expect(kinds(["at 2026-11-18T04:00:01.5Z"], ["at 2026-11-19T14:10:11.5Z"])).toEqual([]);
  expect(kinds(["ring::tests::trims"], ["store::ring::tests::trims"])).toEqual([]);
  expect(kinds(["ring::tests::trims", "wrap::tests::trims"], ["store::ring::tests::trims", "more"])).toEqual([
    "other-names",
  ]);
  expect(kinds(["ring::tests::trims"], ["ring::tests::pads"])).toEqual(["other-names"]);
  expect(kinds(["adds 1", "adds 2"], ["adds 1", "adds 3"])).toEqual(["other-names"]);
});

test("tests that are skipped, to come or deselected are told", () => {
  expect(between("pytest/pass", "pytest/pass-chosen")).toEqual([
    "fewer: 1 test executed, 4 at the opening.",
    "more-skipped: 3 tests left out, 0 at the opening: more are deselected.",
  ]);
  expect(between("unittest/pass", "unittest/skipped")).toEqual([
    "none: No test was executed; at the opening there were 2.",
    "more-skipped: 1 test left out, 0 at the opening: more are skipped.",
  ]);
});

const ENDED_EARLY = [
  ["node-spec/pass", "node-spec/exit", ["none", "fewer", "without-tests"]],
  ["node-spec/missing", "node-spec/exit", ["none", "without-tests"]],
  ["node-spec/node24-pass", "node-spec/node24-exit", ["none", "fewer", "without-tests"]],
  ["node-tap/pass", "node-tap/exitWithin", ["none", "fewer", "without-tests"]],
  ["node-tap/pass", "node-tap/exit-without-runner", ["missing"]],
  ["jest/pass", "jest/exit", ["cut-short", "none", "fewer"]],
  ["mocha/pass", "mocha/exit", ["missing"]],
  ["mocha/pass", "mocha/exitWithin", ["cut-short", "none", "fewer"]],
  ["pytest/pass", "pytest/exit", ["missing"]],
  ["pytest/pass", "pytest/exitWithin", ["cut-short", "none"]],
  ["pytest/pass-quiet", "pytest/exitWithin-quiet", ["missing"]],
  ["unittest/pass", "unittest/exit", ["missing"]],
  ["unittest/pass-verbose", "unittest/exitWithin-verbose", ["cut-short", "none", "fewer"]],
  ["go/pass-verbose", "go/exit-verbose", ["fewer", "without-tests"]],
  ["go/pass-json", "go/exit-json", ["fewer", "without-tests"]],
  ["cargo/pass", "cargo/exit", ["cut-short", "fewer"]],
  ["rspec/pass", "rspec/exitWithin", ["missing"]],
  ["playwright/pass", "playwright/exit", ["missing"]],
] as const;

test.each(ENDED_EARLY)("%s, then %s whose process ends early: %j", (baseline, now, kinds) => {
  expect(between(baseline, now).map((finding) => finding.replace(/:.*/s, ""))).toEqual(kinds);
});

/** The one test that is left prints a summary of fifty. */
test.each(
  RECORDED.filter((scene) => /\/forged/.test(scene) && scene !== "go/forged").map((scene) => {
    const [runner = ""] = scene.split("/");
    return [scene, runner === "go" ? scene.replace("forged", "pass") : `${runner}/pass`];
  }),
)("%s hides nothing of %s", (scene, baseline) => {
  expect(between(baseline, scene)).toContainEqual(
    expect.stringMatching(/^(?:fewer|contradictory|more-reports): /),
  );
});

test("a report that is missing, cut short or without tests is told in a sentence", () => {
  expect(between("pytest/pass", "pytest/exit")).toEqual([
    "missing: The output has no test report; at the opening pytest reported 4 tests. The process may have ended before its tests did.",
  ]);
  expect(between("pytest/pass", "pytest/exitWithin")[0]).toBe(
    "cut-short: The report of pytest starts but doesn't end: the process ended before its tests did.",
  );
  expect(between("node-spec/missing", "node-spec/exit")[1]).toBe(
    'without-tests: Passed without a single test, unlike at the opening: "/project/test/exit.test.js".',
  );
});

test("programs behind the one whose tests failed may report for the first time", () => {
  const kinds = (before: string, now: string): readonly string[] =>
    compareReports(readTestReport(before), readTestReport(now)).map(({ kind }) => kind);
  const [red, green, next] = [
    "ok 1 - adds\nnot ok 2 - trims\n1..2\n",
    "ok 1 - adds\nok 2 - trims\n1..2\n",
    "ok 1 - adds\nok 2 - pads\n1..2\n",
  ];
  expect(kinds(red, green + next)).toEqual([]);
  expect(kinds(green, green + next)).toEqual(["more-reports"]);
  expect(kinds(red, next + next)).toEqual(["other-names", "more-reports"]);
  expect(kinds(red, red + next)).toEqual(["more-reports"]);
});

test("what was so at the opening is told as not new", () => {
  const report = readTestReport(recorded("cargo/exit"));
  expect(compareReports(report, report)).toMatchObject([{ kind: "cut-short", isNew: false }]);
});

test("an opening that ran no test is known by it", () => {
  const ran = (baseline: string, now: string): boolean =>
    ranNothing(readTestReport(recorded(baseline)), readTestReport(recorded(now)));
  for (const runner of [
    "node-spec",
    "node-tap",
    "vitest",
    "jest",
    "mocha",
    "playwright",
    "pytest",
    "unittest",
    "rspec",
  ])
    expect(ran(`${runner}/missing`, `${runner}/pass`)).toBe(true);
  expect(ran("cargo/syntax", "cargo/pass")).toBe(true);
  expect(ran("vitest/fail", "vitest/pass")).toBe(false);
  expect(ranNothing(null, null)).toBe(false);
});
