import { afterAll, describe, expect, test } from "vitest";
import type { Executor } from "../src/engine/plan/executor.ts";
import type { FleetEngine } from "../src/engine/fleet/fleet-engine.ts";
import { connectFleet, initFleet } from "../src/programs/fleet-engine/main.ts";
import { describeExecutor } from "./support/describe-executor.ts";
import { playDriver, playWorker } from "./support/fleet-stage.ts";
import type { PlayedPlace } from "./support/played-executor.ts";
import { freshFleet, onPostgres } from "./support/test-postgres.ts";

const postgres = await onPostgres();

describe.runIf(postgres !== null)("with a real Postgres", () => {
  const ending: (() => Promise<void>)[] = [];
  const connect = async (url: string): Promise<FleetEngine> => {
    const engine = await connectFleet(url);
    ending.push(async () => engine.close());
    return engine;
  };

  afterAll(async () => {
    for (const end of ending.splice(0).toReversed()) await end();
    await postgres?.end();
  });

  test("a fleet is made once, and making it again changes nothing", async () => {
    expect(await initFleet(postgres?.url ?? "")).toBe("loop_worker");
    expect(await initFleet(postgres?.url ?? "")).toBe("loop_worker");
  });

  describeExecutor("on a worker with another clone, through Postgres", (place: PlayedPlace): Executor => {
    const begun = (async () => {
      // Each stage has the same keys.
      const url = postgres === null ? "" : await freshFleet(postgres);
      const worker = await playWorker(place, await connect(url), "w1");
      const driver = await playDriver(place, await connect(url), [worker]);
      ending.push(async () => {
        worker.now.abort();
        await Promise.all([worker.done, driver.close()]);
      });
      return driver;
    })();
    return { runAttempt: async (envelope, signals) => (await begun).runAttempt(envelope, signals) };
  });
});
