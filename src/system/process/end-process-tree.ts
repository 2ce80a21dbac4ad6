import { setTimeout as sleep } from "node:timers/promises";
import { processesOfRun, readProcessTable, type ProcessRoot } from "./process-table.ts";

const GRACE_MS = 500;
const ROUND_MS = 20;
/** Only a process that the kernel cannot end (or that belongs to another user now) survives this. */
const GIVE_UP_MS = 10_000;

interface ProcessTree {
  /** Leaders of their own groups and sessions. */
  readonly roots: readonly ProcessRoot[];
  /** Set in the environment of everything the roots started. */
  readonly runId: string;
}

/** Ends what is left of a run when only its id is known. Only Linux shows environments, so elsewhere this finds nothing. */
export async function endProcessesOfRun(runId: string): Promise<void> {
  await endProcessTree({ roots: [], runId });
}

/**
 * Ends everything left of a run, except this process, and resolves when nothing is left: SIGTERM, then SIGKILL after a grace
 * period. Remembers processes from round to round, since ending a parent moves its children to init.
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
    // It ended by itself, or we may not signal it; the next round shows which.
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
