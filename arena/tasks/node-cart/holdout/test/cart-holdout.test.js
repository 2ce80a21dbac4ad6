import assert from "node:assert/strict";
import { test } from "node:test";
import { total } from "../src/cart.js";

test("counts quantities that no other test mentions", () => {
  assert.equal(total([{ price: 7, quantity: 5 }]), 35);
});
