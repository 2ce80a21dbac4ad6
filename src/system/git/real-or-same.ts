import { realpathSync } from "node:fs";

/** A path without links; one that leads nowhere, or is removed at this moment, as it is. */
export function realOrSame(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}
