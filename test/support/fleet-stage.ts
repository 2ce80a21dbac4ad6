import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { fleetExecutor, type FleetExecutor } from "../../src/engine/fleet/fleet-executor.ts";
import type { FleetEngine } from "../../src/engine/fleet/fleet-engine.ts";
import { pinKey, signerOf, type Signer } from "../../src/engine/fleet/keys.ts";
import { work } from "../../src/engine/fleet/worker.ts";
import type { WorkerNews, WorkerOptions } from "../../src/engine/fleet/worker-options.ts";
import { attemptChoice } from "../../src/engine/plan/envelope.ts";
import { rehearsalOf } from "../../src/engine/run/agent-choice.ts";
import { projectAt } from "../../src/storage/home/project.ts";
import { createMachine, type Machine } from "../../src/storage/loops/machine.ts";
import { repositoryId } from "../../src/worktrees/integration/packs.ts";
import type { PlayedPlace } from "./played-executor.ts";

const TIMES = { leaseMs: 60_000, lookMs: 200, stopMs: 20_000 };

function machineIn(env: NodeJS.ProcessEnv, root: string): Machine {
  const real = createMachine(env, root);
  // Not the sessions that the tests themselves may run in.
  return { ...real, processes: { ...real.processes, processesAbove: () => [] } };
}

/** A machine of its own for a worker: another clone, and another state home. */
function workerPlace(place: PlayedPlace, name: string): { readonly root: string; readonly machine: Machine } {
  const home = join(place.env["HOME"] ?? "", "workers", name);
  const root = join(home, "clone");
  if (!existsSync(root)) {
    mkdirSync(home, { recursive: true });
    execFileSync("git", ["clone", "-q", "--no-hardlinks", place.root, root]);
  }
  return { root, machine: machineIn({ ...place.env, XDG_STATE_HOME: join(home, "state") }, root) };
}

export interface PlayedWorker {
  readonly name: string;
  readonly machine: Machine;
  readonly root: string;
  readonly signer: Signer;
  readonly told: WorkerNews[];
  /** Drains it. */
  readonly soon: AbortController;
  /** Ends it now. */
  readonly now: AbortController;
  readonly done: Promise<void>;
}

/** A worker in this process; `part`: what is special about it. */
export async function playWorker(
  place: PlayedPlace,
  engine: FleetEngine,
  name: string,
  part: Partial<WorkerOptions> = {},
): Promise<PlayedWorker> {
  const { root, machine } = workerPlace(place, name);
  const signer = signerOf(machine.home, "worker");
  const driver = signerOf(driverMachine(place).home, "driver");
  const soon = new AbortController();
  const now = new AbortController();
  const told: WorkerNews[] = [];
  const done = work({
    engine,
    machine,
    cli: place.cli,
    signer,
    name,
    diskBytes: 20e9,
    patience: { signal: now.signal, outage: () => undefined },
    drivers: new Set([driver.fingerprint]),
    repositories: new Map([[(await repositoryId(root)) ?? "", root]]),
    agents: ["rehearsal"],
    slots: 2,
    labels: [],
    account: "default",
    version: "0.1.0",
    once: false,
    times: { refreshMs: 500, lookMs: 100 },
    soon: soon.signal,
    now: now.signal,
    tell: (news) => void told.push(news),
    ...part,
  });
  return { name, machine, root, signer, told, soon, now, done };
}

export function driverMachine(place: PlayedPlace): Machine {
  return machineIn(place.env, place.root);
}

/** The driver's side; it accepts these workers. */
export async function playDriver(
  place: PlayedPlace,
  engine: FleetEngine,
  workers: readonly Pick<PlayedWorker, "signer" | "name">[],
  part: Partial<Parameters<typeof fleetExecutor>[0]> = {},
): Promise<FleetExecutor> {
  const machine = driverMachine(place);
  for (const { signer, name } of workers) pinKey(machine.home, "workers", signer.fingerprint, name);
  return fleetExecutor({
    engine,
    machine,
    project: projectAt(place.root),
    workflow: place.workflow,
    repository: (await repositoryId(place.root)) ?? "",
    signer: signerOf(machine.home, "driver"),
    choiceFor: (envelope) => attemptChoice(rehearsalOf(place.scripts), envelope),
    how: { setup: null, copies: [] },
    label: null,
    times: TIMES,
    tell: () => undefined,
    ...part,
  });
}
