import { expect, test } from "vitest";
import { header } from "../src/header.js";

test("pads the number", () => {
  expect(header(17)).toBe("Invoice 0017");
});
