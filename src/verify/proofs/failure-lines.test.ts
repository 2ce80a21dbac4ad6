import { describe, expect, it } from "vitest";
import { failureLines, keptFailure, newFailure } from "./failure-lines.ts";

const RED =
  "FAIL wrap: got abc, want a|b\nok plain\n2 checks, 1 failures\nmake: *** [Makefile:4: test] Error 1\n";

describe("a failure that is still printed where the check passes", () => {
  it("is told, whatever is counted, and however it ends", () => {
    const line = "FAIL wrap: got abc, want a|b";
    expect(keptFailure(RED, "FAIL wrap: got abc, want a|b\nok plain\n2 checks, 0 failures\n")).toBe(line);
    expect(keptFailure(RED, RED)).toBe(line);
    expect(keptFailure("not ok 2 - sum (0.3 ms)\n", "not ok 2 - sum (14 ms)\n")).not.toBeNull();
  });

  it("is none once a failure is gone, or something else was the matter", () => {
    expect(keptFailure(RED, "ok wrap\nok plain\n2 checks, 0 failures\n")).toBeNull();
    expect(keptFailure(`${RED}FAIL pad: got 1, want 2\n`, RED)).toBeNull();
    // What is printed in any case, in front of a crash.
    const noise = "size: expected a number, got x\n";
    expect(keptFailure(`${noise}Error: Cannot find module './wrap'\n`, `${noise}all well\n`)).toBeNull();
    expect(keptFailure("1 checks, 1 failures\n", "1 checks, 0 failures\n")).toBeNull();
  });
});

it.each(["not ok 1 - sum", "FAIL sum", "✗ sum", "line 4: got 3, want 5", "expected 3 but was 5"])(
  "one thing that failed: %s",
  (line) => {
    expect(failureLines(line)).toEqual([line]);
    expect(newFailure(line, "ok 1\n")).toBe(line);
    expect(newFailure(line, line)).toBeNull();
  },
);

it.each([
  "ok 1 - sum",
  "3 passed, 0 failed",
  "failures: 0",
  "checks fail early",
  "what we got here",
  "error: expected a number, got x",
])("nothing that failed: %s", (line) => {
  expect(failureLines(line)).toEqual([]);
});
