import { expect, test } from "vitest";
import { invoice } from "../src/invoice.js";

test("an invoice may be empty", () => {
  expect(invoice([])).toBe("");
});

test("prints lines in columns", () => {
  const lines = [{ text: "Tea", amount: 4 }, { text: "Chocolate", amount: 12 }];
  expect(invoice(lines)).toMatchSnapshot();
});
