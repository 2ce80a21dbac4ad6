import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { World } from "../../test/support/loop-world.ts";
import { randomCommand, randomOpening } from "../../test/support/random-commands.ts";
import { evolve } from "./evolve.ts";
import type { Loop } from "./loop.ts";

describe("a loop, whatever happens to it", () => {
  test("keeps its invariants, and its journal tells the whole of it", () => {
    const seen = new Map<string, number>();
    fc.assert(
      fc.property(
        randomOpening,
        fc.array(randomCommand, { minLength: 1, maxLength: 40, size: "max" }),
        (opened, commands) => {
          const world = new World(opened);
          for (const each of commands) world.perform(each);

          let folded: Loop | null = null;
          for (const { at, event: each } of world.journal) folded = evolve(folded, each, at);
          expect(folded).toEqual(world.loop);
          for (const verdict of world.verdicts)
            seen.set(verdict.because, (seen.get(verdict.because) ?? 0) + 1);
        },
      ),
      { numRuns: 2_500 },
    );
    // A property that never meets an ending says nothing about it.
    for (const because of [
      "other-session",
      "untrusted",
      "paused-before",
      "ended",
      "not-an-end",
      "paused",
      "completed",
      "frame-popped",
      "handed-back",
      "unfinished",
      "checks-running",
    ]) {
      expect(seen.get(because) ?? 0, because).toBeGreaterThan(0);
    }
  });
});
