import { expect, test } from "vitest";
import { checked, loopWith, proofShown, ran } from "../../../test/support/loop-builders.ts";
import { holdReason } from "../../core/stop/hold-reason.ts";
import type { Contradiction } from "../../core/stop/verdict.ts";
import { tellingLines } from "./telling-lines.ts";
import { createTerminal } from "./terminal.ts";

const terminal = createTerminal({ NO_COLOR: "1" }, process);
const TESTS = { goal: { criteria: [checked("tests")] } };

test("what a hold is about is told in a line each; a hidden test has nothing to add to its name", () => {
  const loop = loopWith(TESTS, ran("tests"));
  const about = (kind: Contradiction["kind"], name: string, detail: string): Contradiction => ({
    ...{ kind, name, detail },
    ...{ files: [], output: null },
  });
  const reason = holdReason(
    loop,
    1,
    [],
    [],
    [about("holdout", "totals", ""), about("counts", "tests", "2 fewer.")],
  );

  expect(tellingLines(terminal, loop, { type: "hold", because: "unfinished", reason })).toEqual([
    "    tests: 2 fewer.",
  ]);
});

test("a limit that ends a run at a contradicted stop says what is behind it, and what would settle it", () => {
  const output = "FAIL test/cart.test.js > total\nAssertionError: expected 2 to be 4\n";
  const judged = proofShown("tests", {
    ...{ kind: "judge", result: "fails", files: ["test/cart.test.js"] },
    ran: { command: "npm test", exitCode: 1, output },
  });
  const loop = loopWith(TESTS, ran("tests"), judged);

  expect(
    tellingLines(terminal, loop, { type: "let-go", because: "paused", reason: "iterations", detail: null }),
  ).toEqual([
    "    tests: it passes only because test/cart.test.js changed; before that: AssertionError: expected 2 to be 4",
    "    To settle that: restore test/cart.test.js, or accept the change with: loop approve",
  ]);
  expect(
    tellingLines(terminal, loop, { type: "let-go", because: "paused", reason: "blocked", detail: "it" }),
  ).toEqual([]);
});
