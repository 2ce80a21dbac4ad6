import { expect, test } from "vitest";
import { checked, loopWith } from "../../test/support/loop-builders.ts";
import type { Loop } from "../core/loop/loop.ts";
import { pausedText } from "./loop-lines.ts";

function pausedOver(detail: string): string {
  const loop = loopWith({}, { type: "loop.paused", reason: "blocked", detail, by: "person" });
  return pausedText(loop as Loop & { readonly phase: "paused" });
}

test("an agent that asks something has an answer; one that can't be run needs another program", () => {
  expect(pausedOver("which port?")).toContain(
    'Answer: loop continue --say "YOUR ANSWER"\nResume: loop continue',
  );
  const text = pausedOver("the program cannot be run (exit code 127): sh: 1: my-agent: not found");
  expect(text).not.toContain("Answer:");
  expect(text).toContain("--command 'PROGRAM'");
});

test("a loop that pauses over changed tests says how to have them put back, and how to resume", () => {
  const text = pausedText(
    loopWith(
      { goal: { criteria: [checked("tests")] } },
      {
        type: "proof.shown",
        name: "tests",
        proof: { kind: "judge", result: "fails", detail: "exit code 1", files: ["test.sh"] },
      },
      { type: "loop.paused", reason: "blocked", detail: "the original tests fail", by: "machine" },
    ) as Loop & { readonly phase: "paused" },
    true,
  );
  expect(text).toMatch(
    /\nIf it isn't: loop continue --loop \S+ --say "restore the original tests, then fix the source"\nResume: /,
  );
  expect(pausedOver("which port?")).not.toContain("If it isn't");
});
