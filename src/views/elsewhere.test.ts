import { expect, test } from "vitest";
import type { LoopEvent } from "../core/events/event.ts";
import type { Loop } from "../core/loop/loop.ts";
import { loopWith } from "../../test/support/loop-builders.ts";
import { adopted, branchBegun, planned, started } from "../../test/support/workflow-builders.ts";
import { lastAttempt } from "../core/plan/workflow.ts";
import { NOTHING_AROUND } from "./needs.ts";
import { NO_FACTS, statusView } from "./status.ts";

const PLACE = "on w1 in /srv/shop";
const THERE = { ...NO_FACTS, around: { ...NOTHING_AROUND, elsewhere: PLACE } };

function attempt(...events: readonly LoopEvent[]): Loop {
  return loopWith({ attemptOf: { loop: "files-2q6z", task: "T-1", number: 1 } as never }, ...events);
}

const PAUSED: LoopEvent = { type: "loop.paused", reason: "blocked", detail: "Which port?", by: "agent" };

test.each([
  ["at work", attempt()],
  ["paused", attempt(PAUSED)],
])(
  "of an attempt that is %s on another machine, nobody says that its run is gone or what to type for it here",
  (_, loop) => {
    const view = statusView(loop, null, true, THERE);
    expect(view).toMatchObject({ elsewhere: PLACE, isGone: false, needs: null });
    expect(view.next).toBe("loop status --loop files-2q6z");
  },
);

test("a change to tests that waits on another machine is decided there, before the plan goes on here", () => {
  const plan = loopWith(
    { goal: { exitRule: "tasks" } },
    adopted([planned("T-1")]),
    branchBegun,
    started("T-1"),
  );
  const { loop: own } = (plan.workflow === null ? null : lastAttempt(plan.workflow, "T-1")) ?? { loop: "" };
  const decide = `If the change is right: loop approve --loop ${own}; if not, for another attempt: loop cancel --loop ${own}`;
  const why = "its check fails with the tests and definitions from before the work (changed: a.test.js)";
  const needs = (detail: string): unknown => {
    const pause: LoopEvent = { type: "loop.paused", reason: "blocked", detail, by: "machine" };
    const loop = loopWith(
      { goal: { exitRule: "tasks" } },
      adopted([planned("T-1")]),
      branchBegun,
      started("T-1"),
      pause,
    );
    return statusView(loop, null).needs;
  };
  expect(needs(`T-1: ${PLACE}, ${why}. ${decide}; typed there`)).toMatchObject({
    kind: "blocked",
    detail: `"T-1" fails with the original tests. Changed since: a.test.js. First, ${PLACE}: loop approve --loop ${own} or loop cancel --loop ${own}`,
    commands: [`loop continue --loop ${plan.id}`],
  });
  expect(needs(`T-1: ${why}. ${decide}`)).toMatchObject({
    kind: "approval",
    commands: [`loop approve --loop ${own}`, `loop continue --loop ${plan.id}`],
    refusing: `loop cancel --loop ${own} && loop continue --loop ${plan.id}`,
  });
});
