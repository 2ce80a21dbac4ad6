import assert from "node:assert/strict";
import { test } from "node:test";
import { asMoney } from "../src/money.js";

test("shows euros and cents", () => {
  assert.equal(asMoney(1234), "€12.34");
});

test("shows whole euros with cents", () => {
  assert.equal(asMoney(500), "€5.00");
});
