import { join } from "node:path";
import { afterAll, describe, expect, onTestFinished, test } from "vitest";
import { beginFleet, serve, startPlan } from "./support/fleet-chaos.ts";
import { fleetFaults, planEvents } from "./support/fleet-faults.ts";
import { FleetWorld, type Started } from "./support/fleet-machines.ts";
import { buildOther } from "./support/other-build.ts";
import { PATIENCE_MS, until } from "./support/patience.ts";
import { makeTemporaryFolder } from "./support/temporary-folder.ts";
import { onPostgres } from "./support/test-postgres.ts";

const TASKS = Array.from({ length: 6 }, (_, index) => `T-00${index + 1}`);
const ENVELOPES = "src/engine/fleet/envelopes.ts";

const postgres = await onPostgres();

describe.runIf(postgres !== null)("programs of several versions in one fleet", () => {
  afterAll(async () => postgres?.end());

  test(
    "are upgraded one after the other without losing anything, and say who can't work with whom",
    { timeout: 4 * PATIENCE_MS },
    async () => {
      if (postgres === null) return;
      const folder = makeTemporaryFolder();
      const later = buildOther(join(folder, "later"), "0.2.0", [
        { file: "src/core/events/event.ts", from: '"turn.started": 1', to: '"turn.started": 2' },
      ]);
      const [older = "", newer = ""] = [1, 3].map((version) =>
        buildOther(join(folder, `envelopes-${version}`), `0.0.${version}`, [
          { file: ENVELOPES, from: "ENVELOPE_VERSION = 2", to: `ENVELOPE_VERSION = ${version}` },
        ]),
      );
      const world = await FleetWorld.begin(postgres, makeTemporaryFolder());
      onTestFinished(async () => world.end());
      const driver = await world.driver(TASKS, 1);
      const [w1, w2, w3, w4] = [
        await world.worker(driver, "w1"),
        await world.worker(driver, "w2"),
        await world.worker(driver, "w3", { cli: older }),
        await world.worker(driver, "w4", { cli: newer }),
      ] as const;
      const { key, serving } = await beginFleet(driver, [w1, w2, w3, w4]);
      const first = await startPlan(world, driver);
      const [serving1, serving2, serving3, serving4] = serving;
      // Each worker in the middle of its work; its attempt goes on with the later program.
      const upgraded: Started[] = [];
      for (const [machine, now] of [
        [w1, serving1],
        [w2, serving2],
      ] as const) {
        await until(() => now?.told().includes("began with") === true, "it to work");
        now?.child.kill("SIGTERM");
        await now?.ended;
        machine.upgrade(later);
        upgraded.push(serve(machine, key));
      }
      await until(() => upgraded.every(({ told }) => told().includes("began with")), "them to work again");
      first.child.kill("SIGTERM");
      await first.ended;
      driver.upgrade(later);
      const second = driver.start("continue");
      await until(() => second.child.exitCode !== null, "the plan to end");
      for (const { child } of [...upgraded, serving3, serving4].filter((each) => each !== undefined))
        child.kill("SIGTERM");

      const faults = [...(await fleetFaults(world, driver, TASKS))];
      if (!second.told().includes("SHIP")) faults.push("the plan didn't ship");
      for (const event of planEvents(driver.root))
        if (event.type === "attempt.set-back") faults.push(`${event.task}: ${event.setback.detail}`);
      expect({ faults, story: faults.length === 0 ? [] : world.story.lines }).toEqual({
        faults: [],
        story: [],
      });
      const drivers = `${first.told()}${second.told()}`;
      expect(drivers).toContain(
        "The worker w3 has loopwright 0.0.1, which understands envelopes of version 1, and this one writes version 2; update it.",
      );
      expect(drivers).toContain(
        "understands envelopes of version 3, and this one writes version 2; update this one.",
      );
      expect(serving3?.told()).toContain(
        `✗ Refuses what ${key} sends: its envelopes have version 2, and this worker understands version 1; update this worker.`,
      );
      expect(serving4?.told()).toContain("and this worker understands version 3; update that driver.");
      for (const refusing of [serving3, serving4]) expect(refusing?.told()).not.toContain("began with");
    },
  );
});
