import { rmSync } from "node:fs";
import { join } from "node:path";
import * as v from "valibot";
import { errnoOf } from "../../system/files/errno.ts";
import { readJsonFile, writePrivateJson } from "../../system/files/json-file.ts";
import type { LocalLoop } from "./loop-lock.ts";
import { lockFolder } from "./loop-lock.ts";

const schema = v.object({
  pid: v.pipe(v.number(), v.safeInteger(), v.minValue(2)),
  startedAt: v.number(),
  expiresAt: v.number(),
});

/** A note that a process is running a loop's checks. Counts only while that process lives. */
export function announceChecks(
  local: LocalLoop,
  times: { readonly startedAt: number; readonly expiresAt: number },
): () => void {
  const path = notePath(local);
  try {
    writePrivateJson(path, { pid: process.pid, ...times });
  } catch (error) {
    // An agent's sandbox may only allow the project. The note is for waiting processes; the checks don't need it.
    if (!["EROFS", "EACCES"].includes(errnoOf(error) ?? "")) throw error;
    return () => {};
  }
  return () => {
    if (readJsonFile(path, schema)?.pid === process.pid) rmSync(path, { force: true });
  };
}

/** When the running checks were started; null when none are running. */
export function runningSince(local: LocalLoop, now: number): number | null {
  const note = readJsonFile(notePath(local), schema);
  // Process ids are reused over time, and no check runs forever.
  return note !== null && now < note.expiresAt && isAlive(note.pid) ? note.startedAt : null;
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error instanceof Error && "code" in error && error.code === "EPERM";
  }
}

function notePath(local: LocalLoop): string {
  return join(lockFolder(local), "checking.json");
}
