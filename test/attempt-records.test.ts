import { existsSync, mkdirSync, rmSync } from "node:fs";
import { dirname } from "node:path";
import { describe, expect, test } from "vitest";
import { JournalError } from "../src/storage/journal/journal-error.ts";
import { markBegun } from "../src/storage/home/approval-marks.ts";
import { approvalFolder } from "../src/storage/home/approval-record.ts";
import { WorkerPool } from "../src/engine/plan/worker-pool.ts";
import { endAttempts, isDeleted } from "../src/engine/plan/lost-records.ts";
import { envelopeOf } from "../src/engine/plan/envelope.ts";
import { sessionExecutor } from "../src/engine/plan/session/session-context.ts";
import { QueueStage } from "./support/queue-stage.ts";

async function afterError(stage: QueueStage, error: unknown): Promise<void> {
  const executor = { runAttempt: async () => Promise.reject(error) };
  const workerPool = new WorkerPool({ ...stage.context, executor });
  workerPool.start(await stage.begins("T-001", 1, { reservedUsd: 2 }));
  await workerPool.next(60_000);
  await workerPool.stop();
}

test.each([
  [
    "deleted",
    new JournalError("missing", "no journal"),
    "Its records were deleted. What it cost is unknown, so its whole share is charged: $2.",
  ],
  [
    "damaged",
    new JournalError("corrupt", "byte 7"),
    "Its records are damaged: byte 7. What it cost is unknown, so its whole share is charged: $2.",
  ],
])("an attempt whose records were %s is set back, and its plan goes on", async (_, error, detail) => {
  const stage = await QueueStage.of({ "T-001": "true" });
  await afterError(stage, error);
  expect(stage.workflow.attempts[0]?.state).toMatchObject({
    type: "set-back",
    setback: { kind: "lost", detail },
  });
  expect(stage.context.live.loop.phase).toBe("active");
  expect(await isDeleted(stage.context.live)).toBe(false);
  // Nobody can tell what it spent: at most what was promised to it.
  expect(stage.context.live.loop.spend).toMatchObject({ usd: 2, priced: false });
});

describe("an attempt whose records somebody deleted while nobody ran", () => {
  async function deleted(stage: QueueStage): Promise<void> {
    const { machine, live, workspace } = stage.context;
    const executor = sessionExecutor(machine, live.project, workspace);
    const attempt = await stage.begins("T-001", 1, { reservedUsd: 3, reservedTokens: 500 });
    const envelope = envelopeOf(live.loop, stage.workflow, attempt);
    const never = new AbortController().signal;
    const signals = { signal: never, soon: never, tell: () => {}, waitsUntil: () => null };
    expect((await executor.runAttempt(envelope, signals)).outcome).toEqual({ type: "stopped" });
    rmSync(dirname(stage.world.journal(attempt.loop)), { recursive: true });
    const workerPool = new WorkerPool({ ...stage.context, executor });
    workerPool.start(attempt);
    await workerPool.next(60_000);
    await workerPool.stop();
    expect(existsSync(stage.world.journal(attempt.loop))).toBe(false);
  }

  test("is lost, and all that it may have cost is charged", async () => {
    const stage = await QueueStage.of({ "T-001": "false" });
    await deleted(stage);
    const detail = "Its records were deleted. What it cost is unknown, so its whole share is charged: $3.";
    expect(stage.workflow.attempts[0]?.state).toMatchObject({ setback: { kind: "lost", detail } });
    expect(stage.context.live.loop.spend).toMatchObject({ usd: 3, tokens: 500, priced: false, told: true });
    expect(await stage.begins("T-001", 2)).toMatchObject({ number: 2 });
  });

  test("costs a session no more than its transcript says", async () => {
    const stage = await QueueStage.of({ "T-001": "false" }, undefined, { isSession: true });
    await deleted(stage);
    expect(stage.workflow.attempts[0]?.state).toMatchObject({
      setback: { kind: "lost", detail: "Its records were deleted." },
    });
    expect(stage.context.live.loop.spend).toMatchObject({ usd: 0, tokens: 0, priced: true });
  });
});

test("of a plan that is cancelled, lost attempts are charged, too, and those that never began aren't", async () => {
  const stage = await QueueStage.of({ "T-001": "false", "T-002": "false" });
  const { machine, live } = stage.context;
  const lost = await stage.begins("T-001", 1, { reservedUsd: 3 });
  await stage.begins("T-002", 1, { reservedUsd: 5 });
  mkdirSync(approvalFolder({ home: machine.home, root: live.project.root, loop: lost.loop }), {
    recursive: true,
  });
  markBegun({ home: machine.home, root: live.project.root, loop: lost.loop });
  await stage.record({ type: "loop.cancelled", by: "person" });
  await endAttempts(machine, live);
  expect(live.loop.spend).toMatchObject({ usd: 3, priced: false });
});

test("records that can't be written for now are nobody's loss", async () => {
  const stage = await QueueStage.of({ "T-001": "true" });
  await expect(afterError(stage, new JournalError("unwritable", "disk full"))).rejects.toThrow("disk full");
  expect(stage.states()).toEqual(["T-001 running"]);
});

test("an attempt that fails where it runs for a reason nobody knows pauses its plan, and can be resumed", async () => {
  const stage = await QueueStage.of({ "T-001": "true" });
  await afterError(stage, new Error("the machine went away"));
  expect(stage.context.live.loop).toMatchObject({
    phase: "paused",
    reason: "unknown-error",
    detail: "T-001: the machine went away",
  });
  expect(stage.states()).toEqual(["T-001 running"]);
});

test("records of the plan itself that were deleted end its work", async () => {
  const stage = await QueueStage.of({ "T-001": "true" });
  const attempt = await stage.begins("T-001");
  const gone = new JournalError("missing", "no journal");
  const executor = { runAttempt: async () => Promise.reject(gone) };
  const workerPool = new WorkerPool({ ...stage.context, executor });
  rmSync(stage.world.journal(stage.context.live.id));
  workerPool.start(attempt);
  await expect(workerPool.stop()).rejects.toThrow(JournalError);
  expect(await isDeleted(stage.context.live)).toBe(true);
});
