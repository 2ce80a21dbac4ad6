import { rmSync } from "node:fs";
import { join } from "node:path";
import * as v from "valibot";
import type { LoopId } from "../../core/loop/id.ts";
import { errnoOf } from "../../system/files/path-errors.ts";
import { readJsonFile, writePrivateJson } from "../../system/files/json-file.ts";
import { lockFolder } from "./loop-lock.ts";

const schema = v.object({
  pid: v.pipe(v.number(), v.safeInteger(), v.minValue(2)),
  startedAt: v.number(),
  expiresAt: v.number(),
});

/** A note that a process is running a loop's checks. Counts only while that process lives. */
export function announceChecks(
  home: string,
  root: string,
  id: LoopId,
  times: { readonly startedAt: number; readonly expiresAt: number },
): () => void {
  const path = notePath(home, root, id);
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
export function runningSince(home: string, root: string, id: LoopId, now: number): number | null {
  const note = readJsonFile(notePath(home, root, id), schema);
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

function notePath(home: string, root: string, id: LoopId): string {
  return join(lockFolder(home, root, id), "checking.json");
}
