import { closeSync, constants, existsSync, fstatSync, openSync, readFileSync } from "node:fs";

const LIMIT_BYTES = 16 * 1024 * 1024;

/**
 * The text of a small file; empty if it is missing, unreadable or too large. Synchronous, because there are many such reads, and
 * waiting would cost more than reading. Doesn't wait for a pipe in the file's place.
 */
export function readOrEmpty(path: string): string {
  // Most requested files are missing, and an error is expensive.
  if (!existsSync(path)) return "";
  let file: number | null = null;
  try {
    file = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
    const found = fstatSync(file);
    return found.isFile() && found.size <= LIMIT_BYTES ? readFileSync(file, "utf8") : "";
  } catch {
    return "";
  } finally {
    if (file !== null) closeSync(file);
  }
}
