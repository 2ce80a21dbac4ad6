import { readdirSync } from "node:fs";

/** What a folder holds, in order; nothing where it is gone or can't be read. */
export function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder).toSorted();
  } catch {
    return [];
  }
}
