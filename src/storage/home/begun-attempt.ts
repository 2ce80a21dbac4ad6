import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { errnoOf } from "../../system/files/errno.ts";
import type { LocalLoop } from "./loop-lock.ts";
import { lockFolder } from "./loop-lock.ts";

/** Once an attempt has a journal, and before anybody works on it: from then on, a journal that isn't there was deleted. */
export function markBegun(local: LocalLoop): void {
  try {
    writeFileSync(pathOf(local), "", { flag: "wx", mode: 0o600 });
  } catch (error) {
    if (errnoOf(error) !== "EEXIST") throw error;
  }
}

export function wasBegun(local: LocalLoop): boolean {
  return existsSync(pathOf(local));
}

function pathOf(local: LocalLoop): string {
  return join(lockFolder(local), "begun");
}
