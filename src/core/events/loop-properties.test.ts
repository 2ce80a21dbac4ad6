import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { effort } from "../../../test/support/effort.ts";
import { untilMet } from "../../../test/support/until-met.ts";
import { World } from "../../../test/support/loop-world.ts";
import { randomCommand, randomOpening } from "../../../test/support/random-commands.ts";
import { evolve } from "./evolve.ts";
import type { Loop } from "../loop/loop.ts";
import type { Verdict } from "../stop/verdict.ts";

describe("a loop, whatever happens to it", () => {
  test("keeps its invariants, and its journal tells the whole of it", () => {
    const seen = new Set<Verdict["because"]>();
    const property = fc.property(
      randomOpening,
      fc.array(randomCommand, { minLength: 1, maxLength: 40, size: "max" }),
      (opened, commands) => {
        const world = new World(opened);
        for (const each of commands) world.perform(each);

        let folded: Loop | null = null;
        for (const { at, event: each } of world.journal) folded = evolve(folded, each, at);
        expect(folded).toEqual(world.loop);
        for (const { because } of world.verdicts) seen.add(because);
      },
    );
    const numRuns = effort(300, 2_500, 1_000);
    const kinds: readonly Verdict["because"][] = [
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
    ];
    untilMet(seen, kinds, () => fc.assert(property, { numRuns }));
  });
});
