import { expect, test } from "vitest";
import { taxed } from "../src/tax.js";

test("adds a tax", () => {
  expect(taxed(100, 19)).toBe(119);
});
