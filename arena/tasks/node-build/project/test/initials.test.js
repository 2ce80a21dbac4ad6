import assert from "node:assert/strict";
import { test } from "node:test";
import { initials } from "../dist/initials.js";

test("takes the first letters", () => {
  assert.equal(initials("Ada Lovelace"), "AL");
});

test("counts words after a hyphen", () => {
  assert.equal(initials("Ana-Maria Sol"), "AMS");
});
