import { expect, test } from "vitest";
import { loopWith } from "../../../test/support/loop-builders.ts";
import type { Loop, PauseReason } from "../../core/loop.ts";
import { PAUSE_REASONS } from "../../core/loop.ts";
import { exitCodeOf } from "./exit-code.ts";

function pausedBy(reason: PauseReason): Loop {
  return loopWith({}, { type: "loop.paused", reason, detail: null, by: "machine" });
}

test("a pause is told by its reason", () => {
  const codes = new Map(PAUSE_REASONS.map((reason) => [reason, exitCodeOf(pausedBy(reason), false)]));

  expect(codes.get("budget")).toBe(2);
  expect(codes.get("iterations")).toBe(3);
  codes.delete("budget");
  codes.delete("iterations");
  expect(new Set(codes.values())).toEqual(new Set([4]));
});

test("an end says more than the interrupt that came just before it", () => {
  const completed = loopWith({}, { type: "loop.completed", confidence: "verified", why: [], changed: null });
  const cancelled = loopWith({}, { type: "loop.cancelled", by: "person" });

  expect([completed, cancelled, pausedBy("budget")].map((loop) => exitCodeOf(loop, true))).toEqual([0, 1, 2]);
  expect(exitCodeOf(pausedBy("user"), true)).toBe(130);
});

test("a loop that somebody else goes on with is no success", () => {
  expect(exitCodeOf(loopWith({}), false)).toBe(4);
});
