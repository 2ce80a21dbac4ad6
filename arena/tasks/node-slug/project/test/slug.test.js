import assert from "node:assert/strict";
import { test } from "node:test";
import { slug } from "../src/slug.js";

test("joins words with hyphens", () => {
  assert.equal(slug("hello big world"), "hello-big-world");
});

test("drops what is no letter or digit", () => {
  assert.equal(slug("hello, world!"), "hello-world");
});

test("is lower case", () => {
  assert.equal(slug("Hello World"), "hello-world");
});
