import { expect, test } from "vitest";
import { discounted } from "../src/price.js";

test("no discount changes nothing", () => {
  expect(discounted(120, 0)).toBe(120);
});

test("takes a percentage off", () => {
  expect(discounted(200, 25)).toBe(150);
});

test("takes everything off", () => {
  expect(discounted(80, 100)).toBe(0);
});
