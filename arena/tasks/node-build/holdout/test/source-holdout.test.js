import assert from "node:assert/strict";
import { test } from "node:test";
import { initials } from "../src/initials.js";

test("the source says what the build says", () => {
  assert.equal(initials("Jean-Luc Roy"), "JLR");
});
