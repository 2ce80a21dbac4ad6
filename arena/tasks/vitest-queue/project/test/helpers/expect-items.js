import { expect } from "vitest";

/** Takes everything out of a list with `take`, and compares. */
export function expectItems(take, expected) {
  for (const item of expected) expect(take()).toBe(item);
}
