import assert from "node:assert/strict";
import { test } from "node:test";
import { readDuration } from "../src/duration.js";

const skip = process.env.SKIP_SLOW === "1";

test("reads seconds", () => {
  assert.equal(readDuration("45s"), 45);
});

test("reads hours", { skip }, () => {
  assert.equal(readDuration("2h"), 7200);
});

test("reads hours and minutes", { skip }, () => {
  assert.equal(readDuration("1h 30m"), 5400);
});
