import { expect, test } from "vitest";
import { claimTask } from "../src/engine/plan/session/session-tasks.ts";
import { QueueStage } from "./support/queue-stage.ts";

test("a task isn't begun if its loop was paused while the worktrees were tried", async () => {
  const stage = await QueueStage.of({ "T-001": "test -f one" });
  const makeReady = async (): Promise<boolean> => {
    await stage.record({ type: "loop.paused", reason: "user", detail: "stopped for lunch", by: "person" });
    return true;
  };
  const context = { ...stage.context, workspace: { ...stage.workspace, makeReady } };

  await expect(claimTask(context, "T-001")).rejects.toThrow("stopped for lunch");
  expect(stage.workflow.attempts).toEqual([]);
});
