import { join } from "node:path";
import { afterAll, describe, expect, onTestFinished, test } from "vitest";
import { isFullEffort } from "./support/effort.ts";
import type { PrivatePostgres } from "../src/programs/demo/private-postgres.ts";
import { chaosOf, FleetChaos, shownBlows, type Blow } from "./support/fleet-chaos.ts";
import { fleetFaults } from "./support/fleet-faults.ts";
import { FleetWorld, type FleetMachine } from "./support/fleet-machines.ts";
import { buildOther } from "./support/other-build.ts";
import { PATIENCE_MS } from "./support/patience.ts";
import { makeTemporaryFolder } from "./support/temporary-folder.ts";
import { onPostgres } from "./support/test-postgres.ts";

/** `LOOP_TEST_SEED=7` plays one of them again, and `LOOP_TEST_SEED=7-30` many. */
const [first = 1, last = first] = (process.env["LOOP_TEST_SEED"] ?? (isFullEffort ? "1-10" : "1"))
  .split("-")
  .map(Number);
const SEEDS = Array.from({ length: last - first + 1 }, (_, index) => first + index);
const TASKS = Array.from({ length: 8 }, (_, index) => `T-00${index + 1}`);
const LIMIT_MS = 2 * PATIENCE_MS;
/** Their clocks differ by two minutes, and two have small disks. */
const MACHINES = [{ skewMs: 60_000 }, { skewMs: -60_000, diskMb: 192 }, { diskMb: 192 }];

const postgres = await onPostgres();

describe.runIf(postgres !== null)("a fleet of real processes on a real Postgres", () => {
  let oldCli: string | null = null;

  afterAll(async () => postgres?.end());

  test.each(SEEDS)(
    "whatever happens to it (seed %i): every task is merged once, every execution charged once, and nothing is left",
    { timeout: 2 * LIMIT_MS },
    async (seed) => {
      if (postgres === null) return;
      oldCli ??= buildOther(join(makeTemporaryFolder(), "old"), "0.0.9", [
        {
          file: "src/engine/fleet/envelopes.ts",
          from: "ENVELOPE_VERSION = 2",
          to: "ENVELOPE_VERSION = 1",
        },
      ]);
      const world = await FleetWorld.begin(postgres, makeTemporaryFolder());
      onTestFinished(async () => world.end());
      const blows = chaosOf(seed);
      const faults = await playedFaults(postgres, world, blows, oldCli).catch((error: unknown) => [
        String(error),
      ]);
      const story = faults.length === 0 ? [] : [shownBlows(blows), ...world.story.lines];
      expect({ seed, faults, story }).toEqual({ seed, faults: [], story: [] });
    },
  );
});

/** What went wrong, in words. */
async function playedFaults(
  postgres: PrivatePostgres,
  world: FleetWorld,
  blows: readonly Blow[],
  oldCli: string,
): Promise<readonly string[]> {
  const driver = await world.driver(TASKS, 1);
  const workers: FleetMachine[] = [];
  for (const options of MACHINES) workers.push(await world.worker(driver, `w${workers.length + 1}`, options));
  const chaos = await FleetChaos.begin({ postgres, world, driver, workers, oldCli });
  await chaos.drive();
  await chaos.strike(blows);
  const faults = (await chaos.shipped(LIMIT_MS)) ? [] : ["the plan didn't ship"];
  await chaos.dismiss();
  faults.push(...(await fleetFaults(world, driver, TASKS)));
  return faults;
}
