import { rmSync } from "node:fs";
import { expect, test } from "vitest";
import { JournalError } from "../src/journal/journal-error.ts";
import { Crew } from "../src/workflow/crew.ts";
import { isDeleted } from "../src/workflow/lost-records.ts";
import { QueueStage } from "./support/queue-stage.ts";

async function afterError(stage: QueueStage, error: unknown): Promise<void> {
  const executor = { runAttempt: async () => Promise.reject(error) };
  const crew = new Crew({ ...stage.context, executor });
  crew.start(await stage.begins("T-001", 1, 2));
  await crew.next(60_000);
  await crew.stop();
}

test.each([
  ["deleted", new JournalError("missing", "no journal"), "Its records were deleted."],
  ["damaged", new JournalError("corrupt", "byte 7"), "Its records are damaged: byte 7."],
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

test("records that can't be written for now are nobody's loss", async () => {
  const stage = await QueueStage.of({ "T-001": "true" });
  await expect(afterError(stage, new JournalError("unwritable", "disk full"))).rejects.toThrow("disk full");
  expect(stage.states()).toEqual(["T-001 running"]);
});

test("records of the plan itself that were deleted end its work", async () => {
  const stage = await QueueStage.of({ "T-001": "true" });
  const attempt = await stage.begins("T-001");
  const gone = new JournalError("missing", "no journal");
  const executor = { runAttempt: async () => Promise.reject(gone) };
  const crew = new Crew({ ...stage.context, executor });
  rmSync(stage.world.journal(stage.context.live.id));
  crew.start(attempt);
  await expect(crew.stop()).rejects.toThrow(JournalError);
  expect(await isDeleted(stage.context.live)).toBe(true);
});
