import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { LoopId } from "../../core/loop/id.ts";
import { errnoOf } from "../../system/files/path-errors.ts";
import { lockFolder } from "./loop-lock.ts";

/** Once an attempt has a journal, and before anybody works on it: from then on, a journal that isn't there was deleted. */
export function markBegun(home: string, root: string, id: LoopId): void {
  try {
    writeFileSync(pathOf(home, root, id), "", { flag: "wx", mode: 0o600 });
  } catch (error) {
    if (errnoOf(error) !== "EEXIST") throw error;
  }
}

export function wasBegun(home: string, root: string, id: LoopId): boolean {
  return existsSync(pathOf(home, root, id));
}

function pathOf(home: string, root: string, id: LoopId): string {
  return join(lockFolder(home, root, id), "begun");
}
