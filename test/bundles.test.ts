import { readFileSync } from "node:fs";
import { expect, test } from "vitest";

/** A property of Unicode that the widths of texts ask for, and nobody else. */
const WIDTH_TABLES = "Extended_Pictographic";

test("the hook, which starts at every stop, does not carry what only a terminal needs", () => {
  expect(readFileSync("dist/cli.js", "utf8")).toContain(WIDTH_TABLES);
  expect(readFileSync("dist/hook.js", "utf8")).not.toContain(WIDTH_TABLES);
});
