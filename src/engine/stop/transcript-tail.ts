import { closeSync, constants, fstatSync, openSync, readSync } from "node:fs";

const TAIL_BYTES = 256 * 1024;

/** The end of a transcript; null if it cannot be read. Doesn't wait on a pipe in its place. */
export function tailOf(path: string): string | null {
  let file: number;
  try {
    file = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  } catch {
    return null;
  }
  try {
    const { size } = fstatSync(file);
    const tail = Buffer.alloc(Math.min(size, TAIL_BYTES));
    readSync(file, tail, 0, tail.length, size - tail.length);
    return tail.toString("utf8");
  } catch {
    return null;
  } finally {
    closeSync(file);
  }
}
