import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, onTestFinished, test } from "vitest";
import { beginFleet, startPlan } from "./support/fleet-chaos.ts";
import { FleetWorld, git, type FleetMachine, type Started } from "./support/fleet-machines.ts";
import { PATIENCE_MS, until } from "./support/patience.ts";
import { leftIn } from "./support/processes-in.ts";
import { awakeSleepers, processesWith, sleepers, uniqueSeconds } from "./support/sleepers.ts";
import { makeTemporaryFolder } from "./support/temporary-folder.ts";
import { onPostgres } from "./support/test-postgres.ts";

const postgres = await onPostgres();

interface Scene {
  readonly world: FleetWorld;
  readonly driver: FleetMachine;
  readonly worker: FleetMachine;
  readonly serving: Started;
}

/** A worker, and a plan of tasks with these checks and what their agents run. */
async function scene(tasks: {
  readonly [id: string]: { readonly check: string; readonly run: string };
}): Promise<Scene> {
  if (postgres === null) throw new Error("there is no server");
  const world = await FleetWorld.begin(postgres, makeTemporaryFolder());
  onTestFinished(async () => world.end());
  const driver = await world.driver(Object.keys(tasks), 0);
  const lines = Object.entries(tasks).map(([id, { check }]) => `### ${id}: Do ${id}\nverify: \`${check}\`\n`);
  writeFileSync(join(driver.root, "PLAN.md"), `# Files\n\n${lines.join("\n")}`);
  git(driver.root, "commit", "-qam", "the plan");
  for (const [id, { run }] of Object.entries(tasks)) {
    const turns = [{ do: [{ run }], say: "<loop-complete>", usd: 0.1 }];
    writeFileSync(join(world.folder, "scripts", `${id}.json`), JSON.stringify({ turns }));
  }
  const worker = await world.worker(driver, "w1");
  const { serving } = await beginFleet(driver, [worker]);
  return { world, driver, worker, serving: serving[0] as Started };
}

describe.runIf(postgres !== null)("of what ran on a worker", () => {
  afterAll(async () => postgres?.end());

  test(
    "nothing that an agent or a check left running is there or writes into its work, and nobody sees the database",
    { timeout: 2 * PATIENCE_MS },
    async () => {
      const [writer, daemon] = [uniqueSeconds(), uniqueSeconds()];
      const late = `sleep 0.5; while :; do echo late > late.txt; sleep 0.02; done # ${writer}`;
      const { world, driver, worker, serving } = await scene({
        "T-001": {
          check: `(setsid env -i sleep ${daemon} &); test -s T-001.txt`,
          run: `echo done > T-001.txt; (setsid env -i PATH="$PATH" sh -c '${late}' >/dev/null 2>&1 &)`,
        },
        "T-002": {
          check: "env > seen-by-check; ! grep -E 'LOOP_FLEET=|postgres:' seen-by-check && test -s T-002.txt",
          run: "env > T-002.txt",
        },
      });
      // What the setup writes is no work; what workers have on their disks takes no room here.
      const here = ["--setup", "echo made > made-by-setup.txt", "--max-disk", "0.000001"];
      const { ended, told } = await startPlan(world, driver, ...here);
      expect({ code: await ended, told: told() }).toMatchObject({ code: 0 });
      expect(git(driver.root, "ls-tree", "--name-only", "main").trim().split("\n")).toEqual([
        "PLAN.md",
        "T-001.txt",
        "T-002.txt",
      ]);
      const seen = git(driver.root, "show", "main:T-002.txt");
      expect(seen).toContain("HOME=");
      expect(seen).not.toMatch(/LOOP_FLEET=|postgres:/);
      serving.child.kill("SIGTERM");
      await serving.ended;
      expect([...processesWith(writer), ...sleepers(daemon)]).toEqual([]);
      expect(await leftIn(worker.home)).toEqual([]);
    },
  );

  test(
    "nothing goes on once the plan is cancelled that nobody drives any more",
    { timeout: 2 * PATIENCE_MS },
    async () => {
      const work = uniqueSeconds();
      const { world, driver, worker, serving } = await scene({
        "T-001": { check: "test -s T-001.txt", run: `setsid sleep ${work}` },
      });
      const driving = await startPlan(world, driver);
      await awakeSleepers(work, 1);
      driver.signalAll("SIGKILL");
      await driving.ended;
      expect(sleepers(work)).toHaveLength(1);
      expect(await driver.run("cancel")).toContain("ancelled");
      expect(sleepers(work)).toEqual([]);
      await until(() => !git(worker.root, "worktree", "list").trim().includes("\n"), "its worktree to go");
      serving.child.kill("SIGTERM");
      await serving.ended;
      expect(await leftIn(worker.home)).toEqual([]);
    },
  );
});
