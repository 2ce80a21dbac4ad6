import { existsSync } from "node:fs";
import { dirname, join } from "node:path";

/** Whether a folder is in a git repository. Doesn't run git. */
export function isInRepository(folder: string): boolean {
  if (existsSync(join(folder, ".git"))) return true;
  return folder !== dirname(folder) && isInRepository(dirname(folder));
}
