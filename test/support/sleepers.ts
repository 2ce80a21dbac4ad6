import { readdirSync, readFileSync } from "node:fs";
import { until } from "./patience.ts";

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
  await until(() => sleepers(seconds).length >= count, `${count} that sleep ${seconds} s`);
  return sleepers(seconds);
}

/** A file of a process in `/proc`; empty when the process is gone. */
export function readProc(pid: number | string, file: string): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, "latin1");
  } catch {
    return "";
  }
}
