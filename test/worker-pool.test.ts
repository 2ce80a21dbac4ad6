import { createHook } from "node:async_hooks";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { NOTHING_SHOWN, type Executor } from "../src/engine/plan/executor.ts";
import { WorkerPool } from "../src/engine/plan/worker-pool.ts";
import { loopFolder } from "../src/storage/home/project.ts";
import { QueueStage } from "./support/queue-stage.ts";

test("where nobody can record who makes an attempt, the run fails at once, and its process doesn't end over it", async () => {
  const stage = await QueueStage.of({ "T-001": "true" });
  const attempt = await stage.begins("T-001");
  const executor: Executor = {
    runAttempt: async ({ key }, { placed, signal }) => {
      placed?.("w1");
      await sleep(60_000, undefined, { signal }).catch(() => undefined);
      return { ...NOTHING_SHOWN, key, outcome: { type: "stopped" } };
    },
  };
  const { live } = stage.context;
  rmSync(join(loopFolder(live.project, live.id), "journal.jsonl"));
  const pool = new WorkerPool({ ...stage.context, executor });
  pool.start(attempt);
  await expect(
    (async () => {
      for (;;) await pool.next(20);
    })(),
  ).rejects.toThrow("the journal is gone");
  await expect(pool.stop()).rejects.toThrow("the journal is gone");
});

/** Whatever waits for a promise leaves another one with it until it is settled: a race over all work does so at every look. */
async function promisesDuring(work: () => Promise<void>): Promise<number> {
  let count = 0;
  const counting = createHook({ init: (_id, type) => void (count += type === "PROMISE" ? 1 : 0) });
  counting.enable();
  await work();
  counting.disable();
  return count;
}

test("looking again and again at attempts that go on leaves nothing with them", async () => {
  const tasks = Array.from({ length: 40 }, (_, index) => `T-${index + 1}`);
  const stage = await QueueStage.of(Object.fromEntries(tasks.map((task) => [task, "true"])));
  const executor: Executor = {
    runAttempt: async ({ key }, { signal }) => {
      await sleep(60_000, undefined, { signal }).catch(() => undefined);
      return { ...NOTHING_SHOWN, key, outcome: { type: "stopped" } };
    },
  };
  const pool = new WorkerPool({ ...stage.context, executor });
  for (const task of tasks) pool.start(await stage.begins(task));
  const LOOKS = 100;
  const promises = await promisesDuring(async () => {
    for (let look = 0; look < LOOKS; look += 1) await pool.next(0);
  });
  await pool.stop();
  expect(promises).toBeLessThan(LOOKS * tasks.length);
});
