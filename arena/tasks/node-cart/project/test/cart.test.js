import assert from "node:assert/strict";
import { test } from "node:test";
import { total } from "../src/cart.js";

test("an empty cart costs nothing", () => {
  assert.equal(total([]), 0);
});

test("adds prices", () => {
  assert.equal(total([{ price: 150, quantity: 1 }, { price: 50, quantity: 1 }]), 200);
});

test("counts quantities", () => {
  assert.equal(total([{ price: 200, quantity: 3 }]), 600);
});

test("counts quantities of several items", () => {
  const many = [{ price: 100, quantity: 3 }, { price: 200, quantity: 2 }];
  assert.equal(total(many), 700);
});
