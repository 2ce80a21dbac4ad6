import assert from "node:assert/strict";
import { test } from "node:test";
import { words } from "../src/words.js";

test("finds words", () => {
  assert.deepEqual(words("Hello, big world!"), ["Hello", "big", "world"]);
});
