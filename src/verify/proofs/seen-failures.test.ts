import { describe, expect, it } from "vitest";
import type { InjectedFile } from "../baseline/injected-files.ts";
import type { SeenMarks } from "../definitions/injecting/marks.ts";
import type { TestReport } from "../reports/test-report.ts";
import { hasSwallowed, seenFailures, type InjectedRun, type Seen } from "./seen-failures.ts";

const FILE: InjectedFile = {
  file: 0,
  path: "a.test.js",
  isSure: true,
  endsItself: false,
  comesLast: false,
  isToldPassed: (output) => output.includes("ok a"),
  altered: new Set([1]),
  isConditional: false,
};

function report(executed: number, failed: number): TestReport {
  return {
    runner: "vitest",
    unit: "tests",
    executed,
    failed,
    passed: executed - failed,
    skipped: 0,
    todo: 0,
    deselected: 0,
    errors: 0,
    names: null,
    reports: 1,
    withoutTests: [],
    isCutShort: false,
    isContradictory: false,
    isPartial: false,
  };
}

function counted(marks: readonly string[]): SeenMarks {
  return new Map(marks.map((mark) => [mark, marks.filter((each) => each === mark).length]));
}

/** One that failed, without any report. */
const RUN: InjectedRun = {
  files: [FILE],
  marks: new Map(),
  isGreen: false,
  own: null,
  report: null,
  output: "",
  tookMs: 1,
};

function seen(marks: string, part: Partial<InjectedRun> = {}): Seen {
  return seenFailures({ ...RUN, marks: counted(marks.split(" ")), ...part });
}

const LOADED = "loaded-0-0 read-0-0";
const GREEN = { isGreen: true };
const UNNOTICED = { type: "unnoticed", path: "a.test.js" };

describe("a check that stays green", () => {
  it.each([
    ["ran a failing test", `${LOADED} ran-0-1`],
    ["came to a wrong expectation", `${LOADED} reached-0-1`],
    ["loaded the file and never ended that", "loaded-0-0"],
    ["loaded the file and ran nothing in it", LOADED],
  ])("cannot fail if it %s", (_, marks) => {
    expect(seen(marks, GREEN)).toEqual(UNNOTICED);
  });

  it("cannot fail if a program failed in it, and never ended well", () => {
    const files = [{ ...FILE, isSure: false, endsItself: true }];
    expect(seen("loaded-0-0 failed-0-0", { ...GREEN, files })).toEqual(UNNOTICED);
    expect(seen(`loaded-0-0 failed-0-0 ${LOADED}`, { ...GREEN, files })).toEqual({ type: "unknown" });
  });

  it("doesn't tell where tests are selected, or where the file ends by itself", () => {
    expect(seen(LOADED, { ...GREEN, files: [{ ...FILE, isSure: false }] })).toEqual({ type: "unknown" });
    const files = [{ ...FILE, isSure: false, endsItself: true }];
    expect(seen("loaded-0-0", { ...GREEN, files })).toEqual({ type: "unknown" });
  });

  it("has nothing to do with files that it never loads; if it counts tests, whether it read them before has to be asked", () => {
    expect(seen("", GREEN)).toEqual({ type: "unseen" });
    expect(seen("", { ...GREEN, own: report(2, 0) })).toEqual({ type: "unread" });
  });
});

describe("a check that turns red", () => {
  const ran = `${LOADED} ran-0-1 ran-0-2`;

  it("noticed what ran, without any report", () => {
    expect(seen(ran)).toEqual({ type: "noticed", isRepeated: false });
  });

  it("has to be asked whether it could be built before, if nothing was loaded", () => {
    expect(seen("")).toEqual({ type: "unbuilt" });
    expect(seen("loaded-0-0")).toEqual({ type: "unknown" });
  });

  it("is its own repetition if everything else ended as before", () => {
    const counted = { own: report(3, 0), report: report(5, 2) };
    expect(seen(ran, counted)).toEqual({ type: "noticed", isRepeated: true });
    expect(seen(`${ran} reached-0-1`, { ...counted, report: report(5, 3) })).toEqual({
      type: "noticed",
      isRepeated: true,
    });
    expect(seen(ran, { files: [{ ...FILE, comesLast: true }] })).toEqual({
      type: "noticed",
      isRepeated: true,
    });
  });

  it("is flaky if another test failed, which a wrong expectation may explain", () => {
    const counted = { own: report(3, 0), report: report(5, 4) };
    expect(seen(ran, counted)).toEqual({ type: "other-failures" });
    expect(seen(`${ran} reached-0-1`, counted)).toEqual({ type: "noticed", isRepeated: false });
  });

  it("may swallow wrong expectations if no test fails but those that were added", () => {
    const swallowed = (marks: string, failed: number): boolean =>
      hasSwallowed({
        ...RUN,
        marks: counted(`${ran} ${marks}`.split(" ")),
        own: report(3, 0),
        report: report(5, failed),
      });
    expect(swallowed("reached-0-1", 2)).toBe(true);
    expect(swallowed("reached-0-1", 3)).toBe(false);
    expect(swallowed("read-0-0", 2)).toBe(false);
  });

  it.each([
    ["an assertion let a failure pass", `${ran} survived-0-2`, {}],
    ["fewer tests failed than were added", ran, { own: report(3, 0), report: report(5, 1) }],
    ["the runner says that the file passed", "", { output: "ok a" }],
  ])("cannot fail all the same if %s", (_, marks, part) => {
    expect(seen(marks, part)).toMatchObject({ type: "unnoticed" });
  });

  it("cannot fail for a file that it loads and leaves out, while it runs all others", () => {
    const files = [FILE, { ...FILE, file: 1, path: "b.test.js" }];
    const marks = `${ran} loaded-1-0 read-1-0`;
    const all = { own: report(3, 0), report: report(5, 2) };
    expect(seen(marks, { files, ...all })).toEqual({ type: "unnoticed", path: "b.test.js" });
    expect(seen(marks, { files })).toMatchObject({ type: "noticed" });
    // A program that starts the other tests fails with them.
    expect(seen(`${ran} loaded-1-0 failed-1-0`, { files, ...all })).toMatchObject({ type: "noticed" });
    const stopped = { ...all, own: report(5, 0) };
    expect(seen(marks, { files, ...stopped })).toMatchObject({ type: "noticed" });
    const unloaded = { ...all, report: { ...report(5, 2), errors: 1 } };
    expect(seen(marks, { files, ...unloaded })).toMatchObject({ type: "noticed" });
  });

  it("has to be asked again where a wrong value passed, or ended everything", () => {
    expect(seen(`${ran} reached-0-3 kept-0-3`)).toEqual({ type: "kept", kept: new Map([[0, new Set([3])]]) });
    expect(seen(`${LOADED} reached-0-1`)).toEqual({ type: "fallen" });
  });
});
