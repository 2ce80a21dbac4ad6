import { describe, expect, test } from "vitest";
import { setback } from "../../../test/support/workflow-builders.ts";
import { failureLine, failureText, failuresTold, isSameFailure, printedIn } from "./shown-task.ts";

const DETAIL = failureText({
  why: "It paused: same-error.",
  said: ["I failed at first.", "All done!"],
  checks: [{ name: "T-1", ending: "failed with exit code 1", output: "# tests\nnot ok 1 - slug\n" }],
});

describe("the detail of a setback", () => {
  test("has why it ended, the agent's words, and each check with its output", () => {
    expect(DETAIL).toBe(
      "It paused: same-error.\nThe agent said:\n- I failed at first.\n- All done!\n--- T-1: failed with exit code 1\n# tests\nnot ok 1 - slug\n",
    );
  });

  test("in a line is why, and what the check printed, whatever the agent said", () => {
    expect(printedIn(DETAIL)).toBe("# tests\nnot ok 1 - slug\n");
    expect(failureLine(DETAIL)).toBe("It paused: same-error: not ok 1 - slug");
    expect(failureLine("A person cancelled the attempt.")).toBe("A person cancelled the attempt.");
    expect(failureLine("`npm ci` exited with 7\nno network")).toBe("`npm ci` exited with 7: no network");
  });
});

test("of many failures the last ones are told whole, and those before in a line", () => {
  const whole = "x".repeat(10_000);
  expect(failuresTold([DETAIL, DETAIL, DETAIL, DETAIL, whole])).toEqual([
    "It paused: same-error: not ok 1 - slug",
    "It paused: same-error: not ok 1 - slug",
    DETAIL,
    DETAIL,
    "x".repeat(4_000),
  ]);
});

test("two failures are the same by what the checks printed", () => {
  const failure = (said: string, output: string): ReturnType<typeof setback> =>
    setback({
      detail: failureText({
        why: "It paused: stuck.",
        said: [said],
        checks: [{ name: "T-1", ending: "", output }],
      }),
    });
  const one = failure("An error.", "not ok 1 - slug in 12 ms");
  expect(isSameFailure(one, failure("No failure here!", "not ok 1 - slug in 9 ms"))).toBe(true);
  expect(isSameFailure(one, failure("An error.", "not ok 2 - wrap"))).toBe(false);
  expect(isSameFailure(one, { ...one, kind: "conflict" })).toBe(false);
});
