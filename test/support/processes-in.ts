import { readFileSync, readdirSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { startOfProcess } from "../../src/system/process/process-facts.ts";
import { endProcessTree } from "../../src/system/process/run-processes.ts";
import { PATIENCE_MS } from "./patience.ts";

interface Running {
  readonly pid: number;
  readonly line: string;
}

/**
 * What runs on behalf of a sandbox: the processes with its home in their environment.
 * @public `e2e/` asks, too.
 */
export function processesIn(home: string): readonly Running[] {
  return readdirSync("/proc").flatMap((name) => {
    if (!/^\d+$/.test(name)) return [];
    try {
      if (!readFileSync(`/proc/${name}/environ`, "latin1").includes(`HOME=${home}\0`)) return [];
      if (readFileSync(`/proc/${name}/stat`, "latin1").split(") ")[1]?.startsWith("Z") === true) return [];
      const line = readFileSync(`/proc/${name}/cmdline`, "latin1").replaceAll("\0", " ").trim();
      return [{ pid: Number(name), line }];
    } catch {
      return []; // it ended meanwhile
    }
  });
}

/** Gives them time to end; those that don't. */
export async function leftIn(home: string): Promise<readonly Running[]> {
  const deadline = performance.now() + PATIENCE_MS;
  while (processesIn(home).length > 0 && performance.now() < deadline) await sleep(25);
  return processesIn(home);
}

/**
 * Ends what runs on behalf of a sandbox, with all that it started.
 * @public Worlds of `e2e/` end so.
 */
export async function endAllIn(home: string): Promise<void> {
  const roots = processesIn(home).map(({ pid }) => ({ pid, startedAt: startOfProcess(pid) }));
  if (roots.length > 0) await endProcessTree({ roots, runId: "" });
}

/** The processes that this one started, by their lines, with that word among their arguments. */
export function childrenWith(word: string): readonly string[] {
  return readdirSync("/proc").flatMap((name) => {
    if (!/^\d+$/.test(name)) return [];
    try {
      const [, rest = ""] = readFileSync(`/proc/${name}/stat`, "latin1").split(") ");
      const [state, parent] = rest.split(" ");
      const words = readFileSync(`/proc/${name}/cmdline`, "latin1").split("\0");
      return state !== "Z" && Number(parent) === process.pid && words.includes(word) ? [words.join(" ")] : [];
    } catch {
      return []; // it ended meanwhile
    }
  });
}
