import { expect, test } from "vitest";
import { loopWith } from "../../../../test/support/loop-builders.ts";
import { PAUSE_REASONS, type Confidence, type Loop, type PauseReason } from "../../../core/loop/loop.ts";
import { exitCodeOf, whyNotSure } from "./endings.ts";

function pausedBy(reason: PauseReason): Loop {
  return loopWith({}, { type: "loop.paused", reason, detail: null, by: "machine" });
}

test("a pause is told by its reason", () => {
  const codes = new Map(PAUSE_REASONS.map((reason) => [reason, exitCodeOf(pausedBy(reason), false, true)]));

  expect(codes.get("budget")).toBe(2);
  expect(codes.get("iterations")).toBe(3);
  codes.delete("budget");
  codes.delete("iterations");
  expect(new Set(codes.values())).toEqual(new Set([4]));
});

test("an end says more than the interrupt that came just before it", () => {
  const completed = loopWith({}, { type: "loop.completed", confidence: "verified", why: [], changed: null });
  const cancelled = loopWith({}, { type: "loop.cancelled", by: "person" });

  expect([completed, cancelled, pausedBy("budget")].map((loop) => exitCodeOf(loop, true, false))).toEqual([
    0, 1, 2,
  ]);
  expect(exitCodeOf(pausedBy("user"), true, false)).toBe(130);
});

test("a loop that somebody else goes on with is no success", () => {
  expect(exitCodeOf(loopWith({}), false, true)).toBe(4);
});

test.each<readonly [Confidence, code: number, accepted: number]>([
  ["verified", 0, 0],
  ["weak", 6, 0],
  ["unverified", 6, 0],
])(
  "a completion that is %s ends with %i, and with %i where weak is accepted",
  (confidence, code, accepted) => {
    const why = confidence === "verified" ? [] : ["nobody looked"];
    const loop = loopWith({}, { type: "loop.completed", confidence, why, changed: null });

    expect([exitCodeOf(loop, false, false), exitCodeOf(loop, false, true)]).toEqual([code, accepted]);
    expect(whyNotSure(loop, false)).toBe(
      code === 0
        ? null
        : `Finished, but ${confidence}: nobody looked; to count that as a success: --accept weak`,
    );
    expect(whyNotSure(loop, true)).toBeNull();
    expect(whyNotSure(pausedBy("budget"), false)).toBeNull();
  },
);
