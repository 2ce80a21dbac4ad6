import { describe, expect, test } from "vitest";
import { beginMerge, integrate } from "../src/workflow/merge-queue.ts";
import { recoverMerge } from "../src/workflow/recover-merge.ts";
import { QueueStage } from "./support/queue-stage.ts";

describe("results that are red together", () => {
  /** Each passes alone. */
  const TASKS = { "T-001": "test -f one && ! test -f odd", "T-002": "test -f two" };

  test("are checked together in each half, too: what breaks an accepted one goes back", async () => {
    const stage = await QueueStage.of(TASKS);
    await stage.finishes("T-001", { one: "1\n" });
    await stage.finishes("T-002", { two: "2\n", odd: "odd\n" });
    await stage.merges("T-001", "T-002");
    expect(stage.states()).toEqual(["T-001 integrated", "T-002 red-together"]);
    expect(stage.world.filesOf(stage.tip)).not.toHaveProperty("odd");
    expect(stage.workflow.branch?.tip).toBe(stage.tip);
  });

  test("one that fails on what it is merged onto is checked, although it passed on what it began at", async () => {
    const stage = await QueueStage.of({ ...TASKS, "T-002": "test -f two && ! test -f one" });
    await stage.finishes("T-001", { one: "1\n" });
    await stage.finishes("T-002", { two: "2\n" });
    await stage.merges("T-001", "T-002");
    expect(stage.states()).toEqual(["T-001 integrated", "T-002 red-together"]);
  });
});

describe("a merge that nobody waits for any more", () => {
  test("ends without a word when the loop was cancelled meanwhile", async () => {
    const stage = await QueueStage.of({ "T-001": "test -f one" });
    await stage.finishes("T-001", { one: "1\n" });
    const merge = await beginMerge(stage.context, ["T-001"]);
    await stage.record({ type: "loop.cancelled", by: "person" });
    if (merge !== null) await integrate(stage.context, merge, new AbortController().signal);
    expect(stage.context.live.loop.phase).toBe("cancelled");
    expect(stage.news.filter(({ type }) => type === "merged")).toEqual([]);
  });

  test("moves nothing when somebody else has ended it", async () => {
    const stage = await QueueStage.of({ "T-001": "test -f one" });
    await stage.finishes("T-001", { one: "1\n" });
    const merge = await beginMerge(stage.context, ["T-001"]);
    await recoverMerge(stage.context);
    const before = stage.tip;
    if (merge !== null) await integrate(stage.context, merge, new AbortController().signal);
    expect(stage.tip).toBe(before);
    expect(stage.states()).toEqual(["T-001 finished"]);
    await stage.merges("T-001");
    expect(stage.states()).toEqual(["T-001 integrated"]);
    expect(stage.context.live.loop.phase).toBe("active");
  });
});
