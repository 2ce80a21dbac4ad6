import type { NamedCheck } from "../checks/run-checks.ts";
import type { Evidence } from "../core/criterion.ts";
import type { Loop } from "../core/loop.ts";
import { topFrame } from "../core/loop.ts";
import type { Findings } from "../core/stop/facts.ts";
import type { LockedLoop } from "../loops/locked-loop.ts";
import { runningSince } from "../store/running-checks.ts";
import type { Machine } from "../loops/machine.ts";

const POLL_MS = 100;
/** How long a process that was just started may take to say that it runs. */
const STARTING_MS = 15_000;

/** How long whoever asks for checks waits for them, and the program that goes on with them. */
export interface Patience {
  readonly ms: number;
  readonly cli: string;
}

/** Whether the checks could take longer than whoever asks will wait. */
export function mayOutlast(patience: Patience, checks: readonly NamedCheck[]): boolean {
  // Twice: what alters the tree is run once more.
  return checks.reduce((sum, { check }) => sum + 2 * check.timeoutMs, 0) > patience.ms;
}

/**
 * Runs checks in a process of their own, which records what they show, and waits for it as long as the host
 * will. What is not finished by then goes on, and is asked for again at the next stop.
 */
export async function checkInBackground(
  machine: Machine,
  { id, live, workplace }: LockedLoop,
  checks: readonly NamedCheck[],
  patience: Patience,
): Promise<Findings> {
  const names = checks.map(({ name }) => name);
  const { root } = live.project;
  const running = (): number | null => runningSince(machine.home, root, id, machine.now());
  const already = running();
  const since = already ?? machine.now();
  if (already === null) {
    const args = [patience.cli, "check", "--loop", id, "--", ...names];
    machine.processes.startDetached(args, { cwd: root, env: machine.env });
  }
  const deadline = machine.now() + patience.ms;
  const isStarting = (): boolean => machine.now() - since < STARTING_MS;
  let wasSeen = already !== null;
  for (;;) {
    const isRunning = running() !== null;
    wasSeen ||= isRunning;
    if (!isRunning && (wasSeen || !isStarting())) break;
    if (machine.now() >= deadline) return { outlasting: names };
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
  const tree = await machine.git.readTree(workplace.root);
  return { tree: tree?.digest ?? null, checks: recordedSince(await live.refresh(), names, since) };
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
