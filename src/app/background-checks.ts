import { spawn } from "node:child_process";
import type { NamedCheck } from "../checks/run-checks.ts";
import type { Evidence } from "../core/criterion.ts";
import type { Loop } from "../core/loop.ts";
import { topFrame } from "../core/loop.ts";
import type { Findings } from "../core/stop/facts.ts";
import type { Standing } from "../loops/loop-store.ts";
import { loadLoop } from "../loops/loop-store.ts";
import { runningSince } from "../store/running-checks.ts";
import { treeDigest } from "../tree/tree-digest.ts";
import type { Machine } from "../loops/machine.ts";

const POLL_MS = 100;
/** How long a process that was just started may take to say that it runs. */
const STARTING_MS = 15_000;

/** Whether the checks could take longer than whoever asks will wait. */
export function mayOutlast(machine: Machine, checks: readonly NamedCheck[]): boolean {
  // Twice: what alters the tree is run once more.
  const longest = checks.reduce((sum, { check }) => sum + 2 * check.timeoutMs, 0);
  return machine.patience !== undefined && longest > machine.patience.ms;
}

/**
 * Runs checks in a process of their own, which records what they show, and waits for it as long as the host
 * will. What is not finished by then goes on, and is asked for again at the next stop.
 */
export async function checkInBackground(
  machine: Machine,
  { project }: Standing,
  loop: Loop,
  checks: readonly NamedCheck[],
): Promise<Findings> {
  const names = checks.map(({ name }) => name);
  const { patience } = machine;
  if (patience === undefined) throw new Error("checks go to the background only for somebody who waits");
  const place = [machine.home, project.root, loop.id] as const;
  const since =
    runningSince(...place, machine.now()) ?? startChecks(machine, patience.cli, project.root, loop.id, names);
  const deadline = machine.now() + patience.ms;
  const isStarting = (): boolean => machine.now() - since < STARTING_MS;
  let wasSeen = runningSince(...place, machine.now()) !== null;
  for (;;) {
    const isRunning = runningSince(...place, machine.now()) !== null;
    wasSeen ||= isRunning;
    if (!isRunning && (wasSeen || !isStarting())) break;
    if (machine.now() >= deadline) return { outlasting: names };
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
  const tree = await treeDigest({ root: project.root, stateHome: machine.home });
  return { tree, checks: recordedSince(loadLoop(project, loop.id).loop, names, since) };
}

function startChecks(
  machine: Machine,
  cli: string,
  root: string,
  id: string,
  names: readonly string[],
): number {
  const startedAt = machine.now();
  const child = spawn(process.execPath, [cli, "check", "--loop", id, "--", ...names], {
    cwd: root,
    env: machine.env,
    detached: true,
    // Nothing of ours may hold the host's pipes open.
    stdio: "ignore",
  });
  child.on("error", () => undefined);
  child.unref();
  return startedAt;
}

function recordedSince(loop: Loop, names: readonly string[], since: number): ReadonlyMap<string, Evidence> {
  return new Map(
    topFrame(loop).criteria.flatMap(({ name, evidence }): readonly (readonly [string, Evidence])[] =>
      evidence !== null && names.includes(name) && evidence.at >= since ? [[name, evidence]] : [],
    ),
  );
}

/** Waits until nobody runs the loop's checks any more. Tells whether somebody did. */
export async function waitForChecks(machine: Machine, root: string, id: Loop["id"]): Promise<boolean> {
  let wasRunning = false;
  while (runningSince(machine.home, root, id, machine.now()) !== null) {
    wasRunning = true;
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
  return wasRunning;
}
