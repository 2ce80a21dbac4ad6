import { describe, expect, test } from "vitest";
import type { LoopEvent } from "../src/core/events/event.ts";
import { DONE } from "./support/driven.ts";
import { isFullEffort, effort } from "./support/effort.ts";
import { expectCode, plan, PlanStage, writes } from "./support/plan-stage.ts";
import type { Scripts } from "./support/plan-stage.ts";
import { counsel, found, review } from "./support/played-judges.ts";
import { variant } from "./support/variant.ts";

const AGAIN = { say: DONE, usd: 0 };
const SCRIPTS: Scripts = {
  "T-001-1": [1, 2, 3, 4, 5].map(() => ({ say: "I cannot do it.", usd: 0 })),
  "T-001-2": [writes("one.txt", "wrong\n"), AGAIN],
  "R-1": [writes("one.txt", "right\n"), AGAIN],
  counsel: asOftenAsAsked(counsel("Write the file that the check looks for, and nothing else.")),
  "light-review": asOftenAsAsked(review(7)),
  "review-1": asOftenAsAsked(review(4, found("one.txt", "wrong"))),
  "review-2": asOftenAsAsked(review(9)),
};

/** A run that is killed while it is answered asks again. */
function asOftenAsAsked<Turn>(answer: readonly Turn[]): readonly Turn[] {
  return [...answer, ...answer, ...answer];
}

/** The journal has this event so many times: the moment at which the run is killed. */
const MOMENTS: readonly (readonly [type: LoopEvent["type"], times: number])[] = [
  ["counsel.given", 1],
  ["work.reviewed", 1],
  ["plan.extended", 1],
  ["question.asked", 1],
  ["question.asked", 3],
  ["wave.reviewed", 1],
  ["finding.resolved", 1],
  ["work.reviewed", 2],
  ["gate.judged", 1],
];

describe("a run that is killed", () => {
  variant.each(MOMENTS.slice(0, effort(1, MOMENTS.length)))(
    "after %s %i resumes there, and repeats nothing that was judged",
    async (type, times) => {
      const stage = new PlanStage(plan(["T-001", "test -f one.txt"]));
      const first = stage.drive(stage.working(SCRIPTS));
      const count = (): number => (stage.workflows.length === 0 ? 0 : stage.eventsOf(type).length);
      while (!first.isOver && count() < times) await new Promise((look) => setTimeout(look, 5));
      first.child.kill("SIGKILL");
      await first.ended();

      // It may have ended just before.
      if (stage.eventsOf("loop.completed").length === 0) stage.spawnLoop("continue");
      expect(stage.eventsOf("loop.completed")).toHaveLength(1);
      expect(stage.eventsOf("counsel.given")).toHaveLength(1);
      expect(stage.eventsOf("work.reviewed").map(({ round }) => round)).toEqual([1, 2]);
      expect(stage.eventsOf("finding.resolved")).toMatchObject([{ how: "task", task: "R-1" }]);
      expect(stage.eventsOf("plan.extended")).toHaveLength(1);
      expect(stage.eventsOf("gate.judged").map(({ passed }) => passed)).toEqual([true]);
      const waves = stage.eventsOf("wave.reviewed").map(({ wave }) => wave);
      expect(waves.toSorted()).toEqual([1, 2]);
      const reviewed = stage.eventsOf("work.reviewed").map(({ commit }) => commit);
      expect(new Set(reviewed).size).toBe(2);
      expect(stage.read("one.txt")).toBe("right\n");
      expect(stage.worktrees()).toEqual([]);
    },
    240_000,
  );
});

test.runIf(isFullEffort)(
  "what a person pauses in the middle of a review is asked again",
  async () => {
    const stage = new PlanStage(plan(["T-001", "test -f one.txt"]));
    const asked = { do: [{ run: stage.meet("review") }], ...review(9)[0] };
    const first = stage.drive(stage.working({ "T-001": [writes("one.txt")], "thorough-review": [asked] }));
    await stage.met("review");
    first.child.kill("SIGINT");
    const { code } = await first.ended();
    expect(code).toBe(130);
    expect(stage.eventsOf("work.reviewed")).toEqual([]);
    stage.letGo("review");
    expectCode(stage.spawnLoop("continue"), 0);
    expect(stage.eventsOf("work.reviewed")).toMatchObject([{ round: 1, failure: null }]);
  },
  240_000,
);
