import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { PrivatePostgres } from "../../src/programs/demo/private-postgres.ts";
import type { FleetMachine, FleetWorld, Started } from "./fleet-machines.ts";
import { until } from "./patience.ts";
import { chance } from "./workflow-scenario.ts";

/** What happens to a machine of a fleet. Each of them is over after a while: before or after a lease ends. */
const TROUBLES = ["kill", "unplug", "freeze", "stun", "cut", "fill", "drain"] as const;
/** What happens to all of it. */
const CALAMITIES = [
  "crash",
  "lose-driver",
  "two-drivers",
  "freeze-driver",
  "cut-driver",
  "old-worker",
] as const;

type Trouble = (typeof TROUBLES)[number] | (typeof CALAMITIES)[number];

export interface Blow {
  readonly trouble: Trouble;
  /** Which worker; of others it means nothing. */
  readonly whom: number;
  /** Longer than a lease. */
  readonly isLong: boolean;
  readonly afterMs: number;
}

const WORKERS = 3;
const SHORT_MS = 2_000;
/** A lease is ten seconds, the shortest there is. */
const LONG_MS = 14_000;
const LONGEST_GAP_MS = 2_500;

/** The same seed always asks for the same: each trouble `rounds` times, in an order of its own. */
export function chaosOf(seed: number, rounds = 1): readonly Blow[] {
  const of = (what: string, ...rest: readonly (string | number)[]): number => chance(seed, what, ...rest);
  const all = Array.from({ length: rounds }, (_, round) =>
    [...TROUBLES, ...CALAMITIES].map((trouble) => ({
      trouble,
      place: round + of("place", trouble, round),
      whom: Math.floor(of("whom", trouble, round) * WORKERS),
      isLong: of("long", trouble, round) < 0.5,
      afterMs: Math.round(of("after", trouble, round) * LONGEST_GAP_MS),
    })),
  ).flat();
  return all.toSorted((one, other) => one.place - other.place);
}

export function shownBlows(blows: readonly Blow[]): string {
  return blows
    .map(
      ({ trouble, whom, isLong, afterMs }) => `${trouble} w${whom + 1}${isLong ? " long" : ""} +${afterMs}`,
    )
    .join(", ");
}

interface Scene {
  readonly postgres: PrivatePostgres;
  readonly world: FleetWorld;
  readonly driver: FleetMachine;
  readonly workers: readonly FleetMachine[];
  /** Another build of the program, whose envelopes are of another version. */
  readonly oldCli: string;
}

/** Lets everything happen to a fleet while it works on a plan, and waits until it is over and the plan has ended. */
export class FleetChaos {
  readonly #scene: Scene;
  readonly #serving: Started[];
  readonly #key: string;
  #driving: Started[] = [];
  readonly #undoing: Promise<void>[] = [];
  #isOver = false;

  private constructor(scene: Scene, key: string, serving: Started[]) {
    this.#scene = scene;
    this.#key = key;
    this.#serving = serving;
  }

  static async begin(scene: Scene): Promise<FleetChaos> {
    const { driver, workers } = scene;
    const { key, serving } = await beginFleet(driver, workers);
    return new FleetChaos(scene, key, [...serving]);
  }

  async drive(): Promise<void> {
    this.#driving = [await startPlan(this.#scene.world, this.#scene.driver)];
  }

  async strike(blows: readonly Blow[]): Promise<void> {
    const atWork = (): boolean => this.#serving.every(({ told }) => told().includes("began with"));
    await until(atWork, "all of them to work");
    for (const blow of blows) {
      await sleep(blow.afterMs);
      this.#note(shownBlows([blow]));
      this.#undoing.push(this.#strike(blow));
    }
    await Promise.all(this.#undoing);
    this.#note("all is well again");
  }

  /** Whether one of the drivers shipped the plan, once none of them is left. */
  async shipped(limitMs: number): Promise<boolean> {
    const all = Promise.all(this.#driving.map(async ({ ended }) => ended));
    const isOver = (await Promise.race([all, sleep(limitMs, null, { ref: false })])) !== null;
    this.#note(isOver ? "the plan ended" : "it didn't end");
    return this.#driving.some(({ child, told }) => child.exitCode === 0 && told().includes("SHIP"));
  }

  async dismiss(): Promise<void> {
    this.#isOver = true;
    for (const { child } of this.#serving) child.kill("SIGTERM");
    await Promise.all(this.#serving.map(async ({ ended }) => ended));
  }

  #note(what: string): void {
    this.#scene.world.story.note("", `*** ${what}`);
  }

  async #strike({ trouble, whom, isLong }: Blow): Promise<void> {
    const { postgres, driver, workers, world, oldCli } = this.#scene;
    const worker = workers[whom] as FleetMachine;
    const victim = this.#serving[whom] as Started;
    const pause = async (): Promise<void> => sleep(isLong ? LONG_MS : SHORT_MS);
    switch (trouble) {
      case "kill":
        victim.child.kill("SIGKILL");
        await pause();
        return this.#serveAgain(whom, victim);
      case "unplug":
        worker.signalAll("SIGKILL");
        await pause();
        return this.#serveAgain(whom, victim);
      case "drain":
        victim.child.kill("SIGTERM");
        await pause();
        return this.#serveAgain(whom, victim);
      case "freeze":
        worker.signalAll("SIGSTOP");
        await pause();
        return worker.signalAll("SIGCONT");
      case "stun":
        // The worker alone: its agents go on.
        victim.child.kill("SIGSTOP");
        await pause();
        return void victim.child.kill("SIGCONT");
      case "cut":
        worker.cut();
        await pause();
        return worker.mend();
      case "fill":
        if (!worker.hasDisk) return;
        worker.fill();
        await pause();
        return worker.empty();
      case "crash":
        await postgres.crash();
        await pause();
        return postgres.start();
      case "lose-driver":
        driver.signalAll("SIGKILL");
        await sleep(SHORT_MS);
        return this.#continue();
      case "two-drivers": {
        // Where nobody drives any more, it is the one that does.
        this.#driving.push(driver.start("continue"));
        return;
      }
      case "freeze-driver":
        driver.signalAll("SIGSTOP");
        await pause();
        return driver.signalAll("SIGCONT");
      case "cut-driver":
        driver.cut();
        await pause();
        return driver.mend();
      case "old-worker": {
        const old = await world.worker(driver, `old-${world.machines.length}`, { cli: oldCli });
        const serving = serve(old, this.#key);
        this.#serving.push(serving);
        await until(() => serving.told().includes("fleet trust"), "the old one to begin");
        return trust(driver, serving.told());
      }
    }
  }

  /** Somebody starts it again, once, if it has ended. */
  async #serveAgain(whom: number, victim: Started): Promise<void> {
    victim.child.kill("SIGCONT");
    await victim.ended;
    if (this.#serving[whom] !== victim) return;
    this.#revive(whom);
  }

  /** As a service manager would: again and again, while it doesn't find its database or has no disk. */
  #revive(whom: number): void {
    const serving = serve(this.#scene.workers[whom] as FleetMachine, this.#key);
    this.#serving[whom] = serving;
    void this.#watch(whom, serving);
  }

  async #watch(whom: number, serving: Started): Promise<void> {
    if ((await serving.ended) !== 1 || this.#isOver) return;
    await sleep(SHORT_MS / 2);
    if (!this.#isOver && this.#serving[whom] === serving) this.#revive(whom);
  }

  /** As somebody would who finds that nobody drives: again, while the database is away. */
  async #continue(): Promise<void> {
    for (;;) {
      const next = this.#scene.driver.start("continue");
      this.#driving.push(next);
      const isUp = (): boolean => /\[LOOP RESUME\]|already drives it|No loop is open/.test(next.told());
      await until(() => isUp() || next.child.exitCode !== null, "it to go on");
      if (isUp()) return;
      await sleep(SHORT_MS);
    }
  }
}

/** A fleet with these workers, each accepted by the driver. */
export async function beginFleet(
  driver: FleetMachine,
  workers: readonly FleetMachine[],
): Promise<{ readonly key: string; readonly serving: readonly Started[] }> {
  const [key = ""] = /SHA256:\S+/.exec(await driver.run("fleet", "init")) ?? [];
  const serving = workers.map((worker) => serve(worker, key));
  await until(() => serving.every(({ told }) => told().includes("fleet trust")), "the workers to begin");
  for (const { told } of serving) await trust(driver, told());
  return { key, serving };
}

/** The driver's plan, with what its agents play; `more`: what else is typed. */
export async function startPlan(
  { folder }: FleetWorld,
  driver: FleetMachine,
  ...more: readonly string[]
): Promise<Started> {
  const planned = JSON.parse(await driver.run("plan", "PLAN.md", "--json")) as { readonly digest?: string };
  const agent = ["--agent", "rehearsal", "--script", join(folder, "scripts"), "--no-model"];
  return driver.start("run", "--plan", "PLAN.md", "--plan-digest", planned.digest ?? "", ...agent, ...more);
}

export function serve(machine: FleetMachine, key: string): Started {
  return machine.start(
    "worker",
    "--accept",
    key,
    "--name",
    machine.name,
    "--agents",
    "rehearsal",
    "--slots",
    "1",
  );
}

async function trust(driver: FleetMachine, told: string): Promise<void> {
  const [, name = "", key = ""] = /fleet trust (\S+) (SHA256:\S+)/.exec(told) ?? [];
  await driver.run("fleet", "trust", name, key);
}
