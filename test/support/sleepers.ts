import { readdirSync, readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";

/** Commands in tests sleep for a number of seconds that no other process on the machine sleeps for. */
export function uniqueSeconds(): string {
  return `${100_000 + Math.floor(Math.random() * 900_000)}.5`;
}

/** Ids of the processes whose command line contains the text; zombies have none. */
export function processesWith(text: string): number[] {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name) && readProc(name, "cmdline").includes(text))
    .map(Number);
}

export function sleepers(seconds: string): number[] {
  return processesWith(`sleep\0${seconds}`);
}

export async function awakeSleepers(seconds: string, count: number): Promise<number[]> {
  for (;;) {
    const pids = sleepers(seconds);
    if (pids.length >= count) return pids;
    await sleep(10);
  }
}

/** A file of a process in `/proc`; empty when the process is gone. */
export function readProc(pid: number | string, file: string): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, "latin1");
  } catch {
    return "";
  }
}
