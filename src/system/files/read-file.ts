import { closeSync, constants, fstatSync, openSync, readFileSync, existsSync } from "node:fs";

/**
 * Reads a file that should be small. A path in a project may be anything: this doesn't wait for a pipe, and refuses a device or
 * a huge file without reading it.
 */
export function readBounded(path: string, limitBytes: number): string {
  const file = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  try {
    const stat = fstatSync(file);
    if (!stat.isFile()) throw new Error("it is not a file");
    if (stat.size > limitBytes) throw new Error("it is too large");
    return readFileSync(file, "utf8");
  } finally {
    closeSync(file);
  }
}

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
