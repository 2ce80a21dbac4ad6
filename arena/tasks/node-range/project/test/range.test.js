import { test } from "node:test";
import { assertSame } from "./helpers/same.js";
import { range } from "../src/range.js";

test("begins at its start", () => {
  assertSame(range(5, 9)[0], 5);
});

test("includes its end", () => {
  assertSame(range(1, 3), [1, 2, 3]);
});

test("can be one number", () => {
  assertSame(range(4, 4), [4]);
});
