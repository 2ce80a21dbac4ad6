import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { DONE } from "./support/driven.ts";
import { until } from "./support/patience.ts";
import { expectCode, plan, PlanStage, untilMerged, writes, type Scripts } from "./support/plan-stage.ts";
import { isFullEffort } from "./support/effort.ts";

test.runIf(isFullEffort)(
  "merged together: what is red goes back alone, and results that conflict are not merged together",
  async () => {
    const stage = new PlanStage("", { "list.txt": "the list\n" });
    const inQueue = `if test -f zero.limit; then case "$PWD" in */queue) ${stage.meet("queue")};; esac; fi`;
    stage.write({
      "../home/PLAN.md": plan(
        ["T-100", 'test -f zero.limit && test "$(cat *.limit | wc -l)" -le 1'],
        ["T-001", `${inQueue}; test -f one.txt`],
        ["T-002", "test -f two.txt"],
        ["T-003", "grep -qx three list.txt"],
        ["T-004", "test -f four.txt"],
      ),
    });
    const afterQueue = `until [ -e ${stage.mark("queue.here")} ]; do sleep 0.05; done`;
    const scripts: Scripts = {
      "T-100": [writes("zero.limit", "0\n")],
      "T-001": [
        { do: [{ run: untilMerged("T-100") }, { write: "one.txt", text: "1\n" }], say: DONE, usd: 0 },
      ],
      "T-002-1": [
        {
          do: [
            { run: afterQueue },
            { write: "two.txt", text: "2\n" },
            { write: "two.limit", text: "2\n" },
            { write: "list.txt", text: "the list\ntwo\n" },
          ],
          say: DONE,
          usd: 0,
        },
      ],
      "T-002-2": [
        {
          // What it did before conflicts with T-003, so it is begun when that is merged, and finds the conflict.
          do: [
            { run: "grep -q '^<<<<<<<' list.txt && test -f two.limit && : > two.limit" },
            { write: "list.txt", text: "the list\ntwo\nthree\n" },
          ],
          say: DONE,
          usd: 0,
        },
      ],
      "T-003": [
        { do: [{ run: afterQueue }, { write: "list.txt", text: "the list\nthree\n" }], say: DONE, usd: 0 },
      ],
      "T-004": [{ do: [{ run: afterQueue }, { write: "four.txt", text: "4\n" }], say: DONE, usd: 0 }],
    };
    const began = performance.now();
    const run = stage.drive(stage.working(scripts, "--parallel", "5"));
    await stage.met("queue");
    const slow = performance.now() - began;
    await until(() => stage.eventsOf("attempt.finished").length === 5, "all results wait");
    // Checks are slower than agents only if they have been.
    await sleep(slow);
    stage.letGo("queue");
    expectCode(await run.ended(), 0);
    expect(stage.eventsOf("merge.begun").map(({ tasks }) => tasks)).toContainEqual(["T-002", "T-004"]);
    expect(stage.setbacks()).toEqual(["T-002 red-together"]);
    expect(stage.tasksOn("master").toSorted()).toEqual(["T-001", "T-002", "T-003", "T-004", "T-100"]);
    expect(stage.read("list.txt")).toBe("the list\ntwo\nthree\n");
    expect(stage.read("two.limit")).toBe("");
  },
  120_000,
);
