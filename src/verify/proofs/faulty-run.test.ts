import { describe, expect, test } from "vitest";
import type { CommandOutcome } from "../../system/process/run-command.ts";
import { readTestReport } from "../reports/read-test-report.ts";
import { firstNoticing, noticingOf, type Noticing } from "./faulty-run.ts";

function ended(code: number, output: string): CommandOutcome {
  return { ending: { type: "exited", code }, output } as CommandOutcome;
}

const TWO = readTestReport("===== 2 passed in 0.01s =====");

describe("whether a check noticed a fault", () => {
  test.each<readonly [name: string, code: number, output: string, isReported: boolean, seen: Noticing]>([
    ["it passes", 0, "===== 2 passed in 0.01s =====", true, "unnoticed"],
    ["a test fails", 1, "===== 1 failed, 1 passed in 0.01s =====", true, "noticed"],
    [
      "tests pass, and something else fails",
      1,
      "===== 2 passed in 0.01s =====\nneeds formatting",
      true,
      "unnoticed",
    ],
    ["no test can be loaded", 2, "===== 1 error in 0.01s =====", true, "unclear"],
    ["there is no report any more", 1, "Killed", true, "unclear"],
    ["a program without a report fails", 1, "cart_test: total: expected 3, got 4", false, "noticed"],
    ["a compiler refuses it", 2, "cart.c:3:5: error: expected ';'", false, "unclear"],
    ["an interpreter refuses it", 1, "SyntaxError: Unexpected token", false, "unclear"],
    ["a program is missing", 127, "sh: 1: make: not found", false, "unclear"],
  ])("is known where %s", (_, code, output, isReported, seen) => {
    expect(noticingOf(ended(code, output), isReported ? TWO : null)).toBe(seen);
  });

  test("one check that notices is enough, and one that is unclear leaves it open", async () => {
    const first = async (...seen: Noticing[]): Promise<Noticing> => firstNoticing(seen, async (each) => each);
    expect(await first("unnoticed", "unclear", "noticed")).toBe("noticed");
    expect(await first("unclear", "unnoticed")).toBe("unclear");
    expect(await first("unnoticed", "unnoticed")).toBe("unnoticed");
  });
});
