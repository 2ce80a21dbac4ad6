import { expect, test } from "vitest";
import { pinKey } from "../src/engine/fleet/keys.ts";
import type { AttemptSignals, Executor } from "../src/engine/plan/executor.ts";
import type { RunNews } from "../src/views/news/news.ts";
import { DONE } from "./support/driven.ts";
import { ExecutorStage } from "./support/executor-stage.ts";
import { driverMachine, playDriver, playWorker } from "./support/fleet-stage.ts";
import { memoryEngine, MemoryFleet } from "./support/memory-fleet.ts";
import { until } from "./support/patience.ts";

const NOBODY: Executor = { runAttempt: async () => Promise.reject(new Error("nobody runs here")) };

test("an account that meets its usage limit on one worker waits on all of them, and the other accounts go on", async () => {
  const stage = new ExecutorStage(() => NOBODY);
  const fleet = new MemoryFleet();
  const heard = new Set<string>();
  const begin = async (name: string, account: string): ReturnType<typeof playWorker> => {
    const engine = memoryEngine(fleet);
    const limits = async (): Promise<ReadonlyMap<string, number>> => {
      const known = await engine.limits();
      if (known.size > 0) heard.add(name);
      return known;
    };
    const worker = await playWorker(stage.place, { ...engine, limits }, name, { account, slots: 1 });
    pinKey(driverMachine(stage.place).home, "workers", worker.signer.fingerprint, name);
    return worker;
  };
  const first = await begin("w1", "ours");
  const driver = await playDriver(stage.place, memoryEngine(fleet), [], {
    times: { leaseMs: 1_200, lookMs: 100, stopMs: 20_000 },
  });
  const news: RunNews[] = [];
  const stop = new AbortController();
  const signals: AttemptSignals = {
    ...{ signal: stop.signal, soon: new AbortController().signal, waitsUntil: () => null },
    tell: (each) => void news.push(each),
  };
  const limit = { kind: "usage-limit", resetsInMs: 3_600_000 } as const;
  const limited = driver.runAttempt(
    stage.envelope("T-001", [{ do: [{ run: stage.meet("work") }], trouble: limit }]),
    signals,
  );
  await stage.met("work");
  const [same, other] = [await begin("w2", "ours"), await begin("w3", "theirs")];
  await until(() => driver.slots() === 3, "all of them to be seen");
  stage.letGo("work");
  await until(() => heard.has("w2"), "the limit to be heard of");

  const writes = stage.envelope("T-002", [{ do: [{ write: "T-002.txt", text: "done\n" }], say: DONE }]);
  expect((await driver.runAttempt(writes, signals)).outcome.type).toBe("finished");
  expect(same.told).toEqual([]);
  expect(other.told.map(({ type }) => type)).toEqual(["took", "ended"]);
  // Only a limit that leaves nobody is one for the plan.
  expect(news.filter(({ type }) => type === "waiting")).toEqual([]);

  stop.abort();
  expect((await limited).outcome.type).toBe("stopped");
  for (const { now } of [first, same, other]) now.abort();
  await Promise.all([first.done, same.done, other.done, driver.close()]);
});
