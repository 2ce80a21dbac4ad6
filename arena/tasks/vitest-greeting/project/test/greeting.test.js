import { expect, test } from "vitest";
import { greeting } from "../src/greeting.js";

test("names the person", () => {
  expect(greeting("Ada")).toContain("Ada");
});

test("greets", () => {
  expect(greeting("Ada")).toMatchSnapshot();
});
