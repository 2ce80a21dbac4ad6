import { onTestFinished } from "vitest";
import type {
  AttemptEnvelope,
  AttemptResult,
  AttemptSignals,
  Executor,
} from "../../src/engine/plan/executor.ts";
import type { FleetEngine } from "../../src/engine/fleet/fleet-engine.ts";
import type { FleetExecutor } from "../../src/engine/fleet/fleet-executor.ts";
import { DONE } from "./driven.ts";
import { ExecutorStage } from "./executor-stage.ts";
import { playDriver, playWorker, type PlayedWorker } from "./fleet-stage.ts";
import { memoryEngine, MemoryFleet } from "./memory-fleet.ts";

const NOBODY: Executor = { runAttempt: async () => Promise.reject(new Error("nobody runs here")) };
export const LEASE_MS = 60_000;

type SceneWorker = PlayedWorker & { readonly cut: { isCut: boolean } };

/** A driver and workers in this process, on rows in memory with a clock of their own. */
export interface Scene {
  readonly stage: ExecutorStage;
  readonly fleet: MemoryFleet;
  readonly driver: FleetExecutor;
  readonly workers: readonly SceneWorker[];
  /** A worker with that name, after another process of it. */
  readonly startAgain: (name: string) => Promise<PlayedWorker>;
}

/** `tamper`: between a worker and the rows. */
export async function scene(
  names: readonly string[],
  tamper: (engine: FleetEngine, stage: ExecutorStage) => FleetEngine = (engine) => engine,
): Promise<Scene> {
  const stage = new ExecutorStage(() => NOBODY);
  const fleet = new MemoryFleet(LEASE_MS);
  const workers = await Promise.all(
    names.map(async (name) => {
      const cut = { isCut: false };
      return { ...(await playWorker(stage.place, tamper(memoryEngine(fleet, cut), stage), name)), cut };
    }),
  );
  const driver = await playDriver(stage.place, memoryEngine(fleet), workers, {
    times: { leaseMs: 6_000, lookMs: 100, stopMs: 20_000 },
  });
  const all: PlayedWorker[] = [...workers];
  onTestFinished(async () => {
    for (const { now } of all) now.abort();
    await Promise.all([...all.map(async ({ done }) => done), driver.close()]);
  });
  const startAgain = async (name: string): Promise<PlayedWorker> => {
    const again = await playWorker(stage.place, memoryEngine(fleet), name);
    all.push(again);
    return again;
  };
  return { stage, fleet, driver, workers, startAgain };
}

export async function attempt(
  { driver }: Pick<Scene, "driver">,
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
export function twoTurns(stage: ExecutorStage): AttemptEnvelope {
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
