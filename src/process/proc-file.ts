import { readFileSync } from "node:fs";

/** What Linux tells in `/proc`; null of a process that ended meanwhile, and of what belongs to another user. */
export function procFile(path: string): string | null {
  try {
    return readFileSync(`/proc/${path}`, "latin1");
  } catch {
    return null;
  }
}
