import { test } from "node:test";
import { assertSame } from "./helpers/same.js";
import { sum } from "../src/sum.js";

test("adds numbers", () => {
  assertSame(sum([1, 2, 3]), 6);
});
