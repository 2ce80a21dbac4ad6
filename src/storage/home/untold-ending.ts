import { existsSync, rmSync } from "node:fs";
import { join } from "node:path";
import { writePrivateJson } from "../../system/files/json-file.ts";
import type { LocalLoop } from "./loop-lock.ts";
import { lockFolder } from "./loop-lock.ts";

/**
 * The mark of a stop that may end or pause its loop. It is there before the record is, and until a host has taken the answer: a hook may
 * outlive its client, and then nobody has been told.
 */
export function markUntold(local: LocalLoop): void {
  try {
    writePrivateJson(pathOf(local), {});
  } catch {
    // no reason to keep the stop from deciding
  }
}

export function isUntold(local: LocalLoop): boolean {
  return existsSync(pathOf(local));
}

export function markTold(local: LocalLoop): void {
  try {
    rmSync(pathOf(local), { force: true });
  } catch {
    // then it is told once more
  }
}

function pathOf(local: LocalLoop): string {
  return join(lockFolder(local), "untold.json");
}
