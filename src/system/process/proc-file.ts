import { readFileSync } from "node:fs";

/** A file in Linux's `/proc`; null if the process ended or belongs to another user. */
export function procFile(path: string): string | null {
  try {
    return readFileSync(`/proc/${path}`, "latin1");
  } catch {
    return null;
  }
}
