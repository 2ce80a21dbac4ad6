import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";

test("the table is what its script makes of the pinned source", () => {
  const made = execFileSync(process.execPath, ["scripts/make-prices.mjs", "--print"], { encoding: "utf8" });
  expect(readFileSync("src/agents/cost/built-in-prices.ts", "utf8")).toBe(made);
});
