import { expect, test } from "vitest";
import { boardRow } from "../board.ts";
import { unreadableView, type StatusView } from "../status.ts";
import type { IterationView } from "./iterations.ts";

const contradicted = (by: string, name: string | null, sentence: string): readonly IterationView[] =>
  [
    {
      claimed: true,
      verdict: "paused",
      checks: [{ passed: true }],
      proofs: [],
      contradiction: { by, name, sentence },
    },
  ] as unknown as readonly IterationView[];

const LIMIT = { kind: "limit", sentence: "All 4 iterations are used up", detail: null, commands: [] };
const met = { name: "tests pass", status: "met", evidence: { exitCode: 0 } };

test("a loop whose criteria are all met, and that a proof contradicts, says so", () => {
  const quoted = (iterations: readonly IterationView[]): readonly string[] =>
    boardRow(
      {
        ...unreadableView("x", null, ""),
        needs: LIMIT,
        criteria: [met, met],
        iterations,
      } as unknown as StatusView,
      "shop",
      "shop/x",
    ).quote.map(({ sign, text }) => `${sign} ${text}`);
  expect(quoted(contradicted("holdout", "holdout: tests pass", "fails"))).toEqual([
    "! Both checks pass, but tests that the agent never saw fail, for “tests pass”",
  ]);
  expect(quoted(contradicted("counts", null, "tests are missing"))).toEqual([
    "! Both checks pass, but tests are missing",
  ]);
  expect(quoted(contradicted("counts", "tests pass", "No test was executed."))).toEqual([
    "! Both checks pass, but “tests pass”: No test was executed.",
  ]);
  expect(quoted(contradicted("judge", "tests pass", "fails with the original tests"))).toEqual([
    "! Both checks pass, but “tests pass” fails with the original tests",
  ]);
  expect(quoted(contradicted("check", "tests pass", "exit code 1"))).toEqual(["  2 of 2 criteria met"]);
});
