import { afterAll } from "vitest";
import type { Executor } from "../../src/engine/plan/executor.ts";
import { playDriver, playWorker } from "./fleet-stage.ts";
import { memoryEngine, MemoryFleet } from "./memory-fleet.ts";
import type { PlayedPlace } from "./played-executor.ts";

const ending: (() => Promise<void>)[] = [];

/** A driver and a worker with a clone and a state home of its own, in this process, on rows in memory. */
export function memoryFleetExecutor(place: PlayedPlace): Executor {
  const fleet = new MemoryFleet();
  const begun = (async () => {
    const worker = await playWorker(place, memoryEngine(fleet), "w1");
    const driver = await playDriver(place, memoryEngine(fleet), [worker]);
    ending.push(async () => {
      worker.now.abort();
      await Promise.all([worker.done, driver.close()]);
    });
    return driver;
  })();
  return { runAttempt: async (envelope, signals) => (await begun).runAttempt(envelope, signals) };
}

afterAll(async () => {
  for (const end of ending.splice(0)) await end();
});
