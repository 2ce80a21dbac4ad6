import { setTimeout as sleep } from "node:timers/promises";
import { processesOfRun, readProcessTable, type ProcessRoot } from "./process-table.ts";

const GRACE_MS = 500;
const ROUND_MS = 20;
/** Only a process that the kernel cannot end (or that became another user's) is still there by then. */
const GIVE_UP_MS = 10_000;

interface ProcessTree {
  /** Leaders of their own groups and sessions. */
  readonly roots: readonly ProcessRoot[];
  /** Stands in the environment of all that the roots started. */
  readonly runId: string;
}

/** Ends what is left of a run of which only the id is known. Only Linux shows environments: elsewhere nothing is found. */
export async function endProcessesOfRun(runId: string): Promise<void> {
  await endProcessTree({ roots: [], runId });
}

/**
 * Ends all that is left of a run, save this process itself, and resolves when none of it is left: SIGTERM, then after
 * a grace SIGKILL. Processes are remembered from round to round, since ending a parent moves its children to init.
 */
export async function endProcessTree(tree: ProcessTree): Promise<void> {
  if (process.platform === "win32") return endWindowsTrees(tree.roots);
  const known = new Map<number, string>();
  const startedAt = performance.now();
  let emptyRounds = 0;
  // A process in the middle of an exec shows no environment: one empty round proves nothing.
  while (emptyRounds < 2 && performance.now() - startedAt < GIVE_UP_MS) {
    const table = await readProcessTable(tree.runId);
    const others = table.filter((row) => row.pid !== process.pid);
    const rows = processesOfRun(others, tree.roots, known);
    const impatient = performance.now() - startedAt >= GRACE_MS;
    for (const row of rows) {
      if (impatient) sendSignal(row.pid, "SIGKILL");
      else if (known.get(row.pid) !== row.startedAt) sendSignal(row.pid, "SIGTERM");
      known.set(row.pid, row.startedAt);
    }
    emptyRounds = rows.length === 0 ? emptyRounds + 1 : 0;
    await sleep(emptyRounds > 0 ? 1 : ROUND_MS);
  }
}

function sendSignal(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    // It ended by itself, or it is not ours to signal; the next round sees which.
  }
}

async function endWindowsTrees(roots: readonly ProcessRoot[]): Promise<void> {
  const { execFile } = await import("node:child_process");
  for (const { pid } of roots) {
    await new Promise<void>((resolve) => {
      execFile("taskkill", ["/pid", String(pid), "/T", "/F"], () => resolve());
    });
  }
}
