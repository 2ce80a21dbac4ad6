import { expect, test } from "vitest";
import { displayWidth, wrapped } from "./display-width.ts";

test("lines fit, words stay whole, and what follows is indented", () => {
  const text = "[LOOP] Iteration 1/10 | Cost: $0/$25 | Step: Fix total() in src/cart.js";
  const lines = wrapped(text, 40, "       ").split("\n");
  expect(lines).toEqual([
    "[LOOP] Iteration 1/10 | Cost: $0/$25 |",
    "       Step: Fix total() in src/cart.js",
  ]);
  expect(lines.every((line) => displayWidth(line) <= 40)).toBe(true);
});

test("what fits is left alone, wide characters take two columns, and a long word is not broken", () => {
  expect(wrapped("  as it is", 20, " ")).toBe("  as it is");
  expect(wrapped("日本 日本", 8, "")).toBe("日本\n日本");
  expect(wrapped("a /very/long/path b", 5, " ")).toBe("a\n /very/long/path\n b");
});
