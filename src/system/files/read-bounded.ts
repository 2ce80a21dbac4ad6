import { closeSync, constants, fstatSync, openSync, readFileSync } from "node:fs";

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
