import { createHash } from "node:crypto";
import { closeSync, constants, fstatSync, openSync, readFileSync } from "node:fs";

const SIZE_LIMIT = 5 * 1024 * 1024;

/** The content after an edit; null if the file is gone or too large to read after each edit. */
export function digestOfEdited(path: string): string | null {
  let file: number;
  try {
    // The path comes from an agent, so don't wait for a pipe.
    file = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  } catch {
    return null;
  }
  try {
    const stat = fstatSync(file);
    if (!stat.isFile() || stat.size > SIZE_LIMIT) return null;
    return createHash("sha256").update(readFileSync(file)).digest("hex").slice(0, 32);
  } catch {
    return null;
  } finally {
    closeSync(file);
  }
}
