import { expect, test } from "vitest";
import { Sandbox, heldReason } from "./support/sandbox.ts";

const S = "session-one";

function project(): Sandbox {
  const sandbox = new Sandbox({ "state.txt": "broken\n", "slow.txt": "broken\n" });
  sandbox.commitAll();
  return sandbox;
}

test("a stop without a claim runs the quick checks, and says what fails now", () => {
  const sandbox = project();
  sandbox.start(
    S,
    "Fix it",
    "-c",
    "one=grep -q one state.txt",
    "-c",
    "two=grep two state.txt",
    "--shape=tool",
  );
  sandbox.write({ "state.txt": "one\n" });
  const reason = heldReason(sandbox.stop(S));
  expect(reason).toContain("unmet criteria: two\n");
  expect(reason).toContain("✗ two: `grep two state.txt` failed with exit code 1");
});

test("a stop without a claim says that only loop done is missing when every quick check passes", () => {
  const sandbox = project();
  sandbox.start(S, "Fix it", "-c", "fixed=grep -q fixed state.txt", "--shape=tool");
  sandbox.write({ "state.txt": "fixed\n" });
  const reason = heldReason(sandbox.stop(S));
  expect(reason).not.toContain("unmet criteria");
  expect(reason).toContain("Every criterion is met. When the work is finished, run `loop done`.");
  expect(sandbox.only().phase).toBe("active");
});

test("a check that took long is not run without a claim, and the hold says that it may be out of date", () => {
  const sandbox = project();
  sandbox.start(
    S,
    "Fix it",
    "-c",
    "slow=sleep 5.1; echo ran >> ran.log; grep -q fixed slow.txt",
    "--shape=tool",
  );
  sandbox.write({ ".gitignore": "ran.log\n", "slow.txt": "fixed\n" });
  const reason = heldReason(sandbox.stop(S));
  expect(reason).toContain("unmet criteria: slow\n");
  expect(reason).toContain("not checked since your last change: slow");
  expect(sandbox.read("ran.log")).toBe("ran\n");
});

test("the same failure at stops without a claim is shown, and counts as no error of a claim", () => {
  const sandbox = project();
  sandbox.start(S, "Fix it", "-c", "fixed=grep fixed state.txt", "--shape=tool");
  for (const [index, text] of ["a", "b", "c", "d"].entries()) {
    sandbox.write({ "state.txt": text });
    expect(heldReason(sandbox.stop(S))).toContain(`[ITERATION ${index + 1}/`);
  }
});
