import { expect } from "vitest";

const MOST_ROUNDS = 20;

/** Tries a property again until it has met all of these: one that never meets trouble says nothing about it. */
export function untilMet(seen: ReadonlySet<string>, kinds: readonly string[], assertOnce: () => void): void {
  for (let round = 0; round < MOST_ROUNDS; round += 1) {
    assertOnce();
    if (kinds.every((kind) => seen.has(kind))) return;
  }
  expect([...seen]).toEqual(expect.arrayContaining([...kinds]));
}
