import assert from "node:assert/strict";
import { test } from "node:test";
import { asClock } from "../src/clock.js";

test("pads seconds", () => {
  assert.equal(asClock(65), "1:05");
});
