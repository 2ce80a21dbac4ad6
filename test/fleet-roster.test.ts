import { expect, test } from "vitest";
import type { Executor } from "../src/engine/plan/executor.ts";
import { DONE } from "./support/driven.ts";
import { ExecutorStage } from "./support/executor-stage.ts";
import { driverMachine, playDriver, playWorker } from "./support/fleet-stage.ts";
import { memoryEngine, MemoryFleet } from "./support/memory-fleet.ts";
import { signerOf } from "../src/engine/fleet/keys.ts";
import { PATIENT, until } from "./support/patience.ts";

const NOBODY: Executor = { runAttempt: async () => Promise.reject(new Error("nobody runs here")) };
const QUICK = { times: { leaseMs: 1_200, lookMs: 100, stopMs: 20_000 } };
const never = new AbortController().signal;
const SIGNALS = { signal: never, soon: never, tell: () => undefined, waitsUntil: () => null };

test("a worker that doesn't run what its driver signs is named on both sides, and the driver waits for another one", async () => {
  const stage = new ExecutorStage(() => NOBODY);
  const fleet = new MemoryFleet();
  const { fingerprint } = signerOf(driverMachine(stage.place).home, "driver");
  const deaf = await playWorker(stage.place, memoryEngine(fleet), "w1", {
    drivers: new Set(["SHA256:other"]),
  });
  const said: string[] = [];
  const driver = await playDriver(stage.place, memoryEngine(fleet), [deaf], {
    ...QUICK,
    tell: (sentence) => void said.push(sentence),
  });
  const running = driver.runAttempt(
    stage.envelope("T-001", [{ do: [{ write: "T-001.txt", text: "done\n" }], say: DONE }]),
    SIGNALS,
  );
  await expect
    .poll(() => said, PATIENT)
    .toEqual([`The worker w1 doesn't run what you sign; start it with: loop worker --accept ${fingerprint}`]);
  await until(() => deaf.told.length > 0, "the worker to say it");
  expect(deaf.told).toEqual([{ type: "stranger", driver: fingerprint }]);
  expect(driver.slots()).toBe(0);
  deaf.now.abort();
  await deaf.done;
  const again = await playWorker(stage.place, memoryEngine(fleet), "w1");
  expect((await running).outcome.type).toBe("finished");
  again.now.abort();
  await Promise.all([again.done, driver.close()]);
});

test.each([
  ["have full disks", { slots: 0 }, "No worker has room on its disk (w1); make some there."],
  [
    "are being shut down",
    { isDraining: true },
    "Every worker that is here is being shut down; start one again.",
  ],
])("that all its workers %s is said, once", async (_, part, sentence) => {
  const stage = new ExecutorStage(() => NOBODY);
  const fleet = new MemoryFleet();
  const worker = await playWorker(stage.place, memoryEngine(fleet), "w1");
  await until(() => fleet.workers.size > 0, "it to come");
  worker.now.abort();
  await worker.done;
  const [[id, row] = ["", null]] = fleet.workers;
  if (row !== null)
    fleet.workers.set(id, { ...row, isDraining: false, ...part, at: Number.MAX_SAFE_INTEGER });
  const said: string[] = [];
  const driver = await playDriver(stage.place, memoryEngine(fleet), [worker], {
    ...QUICK,
    tell: (each) => void said.push(each),
  });
  await expect.poll(() => said, PATIENT).toEqual([sentence]);
  await driver.close();
  expect(said).toEqual([sentence]);
});
