import type { RanCheck } from "../../../../views/story/iterations.ts";

export function testsWords({ tests, passed }: Pick<RanCheck, "tests" | "passed">): string {
  if (tests === null) return passed ? "passes" : "fails";
  const total = tests.executed;
  return tests.failed > 0 ? `${tests.failed} of ${total} fail` : `${tests.passed} of ${total}`;
}
