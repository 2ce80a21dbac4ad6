import { expect, test } from "vitest";
import { discounted } from "../src/price.js";

test("takes a third percentage off", () => {
  expect(discounted(50, 10)).toBe(45);
});
