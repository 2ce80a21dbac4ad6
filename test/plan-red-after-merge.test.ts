import { describe, expect, test } from "vitest";
import { DONE } from "./support/driven.ts";
import { expectCode, plan, PlanStage, untilMerged, writes } from "./support/plan-stage.ts";
import { isFullEffort } from "./support/effort.ts";
import { variant } from "./support/variant.ts";

/** The second task's work passes alone, and breaks the first task once it is merged. */
const BREAKS = {
  do: [
    { write: "two.txt", text: "two\n" },
    { write: "odd.txt", text: "odd\n" },
    { run: untilMerged("T-001") },
  ],
  say: DONE,
  usd: 0.01,
};

describe("a result that is red together with what was merged before", () => {
  variant("can't be finished again while that is so", () => {
    const stage = new PlanStage(
      plan(["T-001", "test -f one.txt && ! test -f odd.txt"], ["T-002", "test -f two.txt"]),
    );
    const ran = stage.work({
      "T-001": [writes("one.txt")],
      "T-002-1": [BREAKS],
      // Its own check passes, and it says that it is done; nothing has changed.
      "T-002-2": [
        { say: DONE, usd: 0.01 },
        { do: [{ run: "test -f odd.txt && rm odd.txt" }], say: DONE, usd: 0.01 },
      ],
    });
    expectCode(ran, 0);
    expect(stage.setbacks()).toEqual(["T-002 red-together"]);
    expect(stage.eventsOf("merge.ended").flatMap(({ setBack }) => setBack)).toMatchObject([
      { task: "T-002", setback: { failing: ["T-001"] } },
    ]);
    expect(stage.eventsOf("attempt.started").map(({ task, number }) => `${task}-${number}`)).toEqual([
      "T-001-1",
      "T-002-1",
      "T-002-2",
    ]);
    expect(stage.promptOf("T-002", 2)).toContain("T-001: ");
    expect(stage.tasksOn("master")).toEqual(["T-001", "T-002"]);
  });

  test.runIf(isFullEffort)("a task without a check stays unverified, whatever others show", () => {
    const stage = new PlanStage(
      `${plan(["T-001", "test -f one.txt && ! test -f odd.txt"])}\n### T-002: Write two.txt\n`,
    );
    const ran = stage.work({
      "T-001": [writes("one.txt")],
      "T-002-1": [BREAKS],
      "T-002-2": [{ do: [{ run: "rm odd.txt" }], say: DONE, usd: 0.01 }],
    });
    expectCode(ran, 6);
    expect(stage.setbacks()).toEqual(["T-002 red-together"]);
    expect(ran.out).toContain("nothing shows that T-002 is done");
    expect(stage.tasksOn("master")).toEqual(["T-001", "T-002"]);
  });
});
