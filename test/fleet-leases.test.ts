import { afterEach, describe, expect, test } from "vitest";
import type {
  AttemptEnvelope,
  AttemptResult,
  AttemptSignals,
  Executor,
} from "../src/engine/plan/executor.ts";
import { mayEndLeases } from "../src/engine/fleet/fleet-engine.ts";
import { DONE } from "./support/driven.ts";
import { ExecutorStage } from "./support/executor-stage.ts";
import { playDriver, playWorker, type PlayedWorker } from "./support/fleet-stage.ts";
import { memoryEngine, MemoryFleet } from "./support/memory-fleet.ts";
import { until } from "./support/patience.ts";
import { variant } from "./support/variant.ts";

const NOBODY: Executor = { runAttempt: async () => Promise.reject(new Error("nobody runs here")) };
const LEASE_MS = 60_000;
const ending: (() => Promise<void>)[] = [];

afterEach(async () => {
  for (const end of ending.splice(0)) await end();
});

interface Scene {
  readonly stage: ExecutorStage;
  readonly fleet: MemoryFleet;
  readonly driver: Executor;
  readonly workers: readonly (PlayedWorker & { readonly cut: { isCut: boolean } })[];
}

async function scene(names: readonly string[]): Promise<Scene> {
  const stage = new ExecutorStage(() => NOBODY);
  const fleet = new MemoryFleet(LEASE_MS);
  const workers = await Promise.all(
    names.map(async (name) => {
      const cut = { isCut: false };
      return { ...(await playWorker(stage.place, memoryEngine(fleet, cut), name)), cut };
    }),
  );
  const driver = await playDriver(stage.place, memoryEngine(fleet), workers, {
    times: { leaseMs: 6_000, lookMs: 100, stopMs: 20_000 },
  });
  ending.push(async () => {
    for (const { now } of workers) now.abort();
    await Promise.all([...workers.map(async ({ done }) => done), driver.close()]);
  });
  return { stage, fleet, driver, workers };
}

async function attempt(
  { driver }: Scene,
  envelope: AttemptEnvelope,
  signals: Partial<AttemptSignals> = {},
): Promise<AttemptResult> {
  const never = new AbortController().signal;
  return driver.runAttempt(envelope, {
    ...{ signal: never, soon: never, tell: () => undefined, waitsUntil: () => null },
    ...signals,
  });
}

/** Two turns: the first is over and paid, the second is at work until it is let go. */
function twoTurns(stage: ExecutorStage): AttemptEnvelope {
  const limits = { ...stage.envelope("T-001", [{}]).limits, sameError: 5, budgetUsd: 10 };
  return stage.envelope(
    "T-001",
    [
      { say: "Half of it.", usd: 0.5 },
      { do: [{ run: stage.meet("work") }, { write: "T-001.txt", text: "done\n" }], say: DONE, usd: 0.25 },
    ],
    { limits },
  );
}

describe("a worker that is cut off", () => {
  test("loses its lease: the attempt is lost at most at one more turn, and its late result is refused", async () => {
    const played = await scene(["w1"]);
    const { stage, fleet, workers } = played;
    const [worker] = workers;
    const running = attempt(played, twoTurns(stage));
    await stage.met("work");
    await until(() => [...fleet.news.values()].flat().join("").includes("0.5"), "the first turn to be told");
    if (worker !== undefined) worker.cut.isCut = true;
    fleet.pass(LEASE_MS + 1_000);
    const result = await running;
    expect(result).toMatchObject({
      outcome: {
        type: "set-back",
        setback: { kind: "lost", detail: "Its worker w1 stopped answering.", carry: null },
      },
      // What it reported, and once more its dearest turn.
      usage: { usd: 1, priced: false },
    });
    if (worker !== undefined) worker.cut.isCut = false;
    await until(() => worker?.told.some(({ type }) => type === "lost") === true, "it to hear of it");
    stage.letGo("work");
    await until(() => worker?.told.every(({ type }) => type !== "ended") === true, "no result to count");
    expect([...fleet.jobs.values()].map(({ state }) => state.type)).toEqual(["lost"]);
    expect(await attempt(played, twoTurns(stage))).toMatchObject({ outcome: result.outcome });
  });

  variant("before any turn has ended costs its whole share", async () => {
    const played = await scene(["w1"]);
    const { stage, fleet, workers } = played;
    const limits = { ...stage.envelope("T-001", [{}]).limits, budgetUsd: 7 };
    const work = [{ run: stage.meet("work") }];
    const running = attempt(played, stage.envelope("T-001", [{ do: work, say: DONE }], { limits }));
    await stage.met("work");
    for (const { cut } of workers) cut.isCut = true;
    fleet.pass(LEASE_MS + 1_000);
    expect((await running).usage).toMatchObject({ usd: 7, priced: false });
    for (const { cut } of workers) cut.isCut = false;
    stage.letGo("work");
  });
});

test("after an outage of the database longer than a lease, everybody goes on", async () => {
  const played = await scene(["w1"]);
  const { stage, fleet } = played;
  const running = attempt(played, twoTurns(stage));
  await stage.met("work");
  fleet.goDown();
  fleet.pass(3 * LEASE_MS);
  await new Promise((resolve) => setTimeout(resolve, 300));
  fleet.comeUp();
  stage.letGo("work");
  expect(await running).toMatchObject({ outcome: { type: "finished" }, usage: { usd: 0.75 } });
});

test("leases end only once the server and the connection have been up for a whole lease", () => {
  const leaseMs = 60_000;
  const may = (serverUpMs: number, connectedMs: number): boolean =>
    mayEndLeases({ serverUpMs, connectedMs, leaseMs });
  expect([may(60_000, 60_000), may(59_999, 60_000), may(60_000, 59_999)]).toEqual([true, false, false]);
});

test("a worker that is being shut down hands its attempt back, and carries it on when it is there again", async () => {
  const played = await scene(["w1"]);
  const { stage, fleet, workers } = played;
  const limits = { ...stage.envelope("T-001", [{}]).limits, sameError: 5 };
  const envelope = stage.envelope(
    "T-001",
    [
      { do: [{ run: stage.meet("work") }], say: "Half of it.", usd: 0.25 },
      { do: [{ write: "T-001.txt", text: "done\n" }], say: DONE, usd: 0.25 },
    ],
    { limits },
  );
  const running = attempt(played, envelope);
  await stage.met("work");
  const [first] = workers;
  first?.soon.abort();
  stage.letGo("work");
  await first?.done;
  const again = await playWorker(stage.place, memoryEngine(fleet), "w1");
  ending.push(async () => {
    again.now.abort();
    await again.done;
  });
  expect(await running).toMatchObject({ outcome: { type: "finished" }, usage: { usd: 0.5 } });
  expect(again.told).toContainEqual(expect.objectContaining({ type: "took" }));
});

variant("one usage limit is one account's on all workers, and nobody else's", async () => {
  const played = await scene(["w1", "w2"]);
  const { stage, fleet } = played;
  const until = Date.now() + 1_500;
  fleet.accounts.set("rehearsal@default", until);
  fleet.accounts.set("codex@default", until + 1_000_000);
  const envelope = stage.envelope("T-001", [
    { do: [{ run: stage.noting("ran") }, { write: "T-001.txt", text: "done\n" }], say: DONE },
  ]);
  expect(await attempt(played, envelope)).toMatchObject({ outcome: { type: "finished" } });
  expect(stage.noted("ran")[0]).toBeGreaterThanOrEqual(until);
});
