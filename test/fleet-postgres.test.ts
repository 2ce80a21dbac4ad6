import { afterAll, describe, expect, test } from "vitest";
import type { Executor } from "../src/engine/plan/executor.ts";
import type { FleetEngine } from "../src/engine/fleet/fleet-engine.ts";
import { connectFleet, initFleet } from "../src/programs/fleet-engine/main.ts";
import { jobIdOf } from "../src/engine/fleet/envelopes.ts";
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

  test("only what nobody has fetched is taken back, and a plan that is over ends the leases of its jobs", async () => {
    const engine = await connect(postgres === null ? "" : await freshFleet(postgres));
    const submitted = ["T-001", "T-002"].map((task) => ({
      ...{ workflow: "a-plan-1abc", key: `a-plan-1abc/${task}/1`, exec: 1, queue: "attempt.test" },
      ...{ id: jobIdOf(`a-plan-1abc/${task}/1`, 1), envelope: "{}" },
    }));
    for (const job of submitted) await engine.submit(job);
    const [fetched] = await engine.fetch("attempt.test", 1);
    await engine.withdraw(submitted);
    const states = async (): Promise<readonly string[]> =>
      (await engine.look(submitted.map(({ id, queue }) => ({ id, queue, from: 0 })))).map(
        ({ state }) => state.type,
      );
    expect((await states()).toSorted()).toEqual(["running", "withdrawn"]);
    const held = fetched === undefined ? [] : [fetched];
    expect([...(await engine.touch(held))]).toEqual(held.map(({ id }) => id));
    expect(await engine.write(submitted[0]?.id ?? "", 0, "one")).toBeNull();
    expect(await engine.write(submitted[0]?.id ?? "", 0, "one")).toBeNull();
    expect(await engine.write(submitted[0]?.id ?? "", 0, "another")).toBe(1);

    await engine.forget("a-plan-1abc");
    expect([...(await engine.touch(held))]).toEqual([]);
    expect(await engine.executions("a-plan-1abc")).toEqual([]);
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
