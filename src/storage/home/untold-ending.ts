import { existsSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { LoopId } from "../../core/loop/id.ts";
import { writePrivateJson } from "../../system/files/json-file.ts";
import { lockFolder } from "./loop-lock.ts";

interface Whose {
  readonly home: string;
  readonly root: string;
  readonly loop: LoopId;
}

/**
 * The mark of a stop that may end or pause its loop. It is there before the record is, and until a host has taken the answer: a hook may
 * outlive its client, and then nobody has been told.
 */
export function markUntold(whose: Whose): void {
  try {
    writePrivateJson(pathOf(whose), {});
  } catch {
    // no reason to keep the stop from deciding
  }
}

export function isUntold(whose: Whose): boolean {
  return existsSync(pathOf(whose));
}

export function markTold(whose: Whose): void {
  try {
    rmSync(pathOf(whose), { force: true });
  } catch {
    // then it is told once more
  }
}

function pathOf({ home, root, loop }: Whose): string {
  return join(lockFolder(home, root, loop), "untold.json");
}
