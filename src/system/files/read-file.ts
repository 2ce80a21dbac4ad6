import { closeSync, constants, existsSync, fstatSync, openSync, readFileSync, readSync } from "node:fs";
import type { Stats } from "node:fs";

/** A path in a project may be anything: opening it must not wait for a pipe. */
const WITHOUT_WAITING = constants.O_RDONLY | constants.O_NONBLOCK;

/** What `use` makes of the open file; null: not a file, or not readable now. */
export function withFile<Value>(path: string, use: (file: number, stat: Stats) => Value): Value | null {
  let file: number;
  try {
    file = openSync(path, WITHOUT_WAITING);
  } catch {
    return null;
  }
  try {
    const stat = fstatSync(file);
    return stat.isFile() ? use(file, stat) : null;
  } catch {
    return null;
  } finally {
    closeSync(file);
  }
}

/** Reads a file that should be small. Throws for a device or a huge file, without reading it. */
export function readBounded(path: string, limitBytes: number): string {
  const file = openSync(path, WITHOUT_WAITING);
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
 * waiting would cost more than reading.
 */
export function readOrEmpty(path: string): string {
  // Most requested files are missing, and an error is expensive.
  if (!existsSync(path)) return "";
  return withFile(path, (file, { size }) => (size <= LIMIT_BYTES ? readFileSync(file, "utf8") : "")) ?? "";
}

const CHUNK_BYTES = 64 * 1024;

/** Reads all of a file, a pipe or a device, up to a limit. A number is an open file. */
export function readUpTo(source: string | number, limitBytes: number): string {
  const file = typeof source === "number" ? source : openSync(source, "r");
  const chunks: Buffer[] = [];
  let bytes = 0;
  try {
    for (;;) {
      const chunk = Buffer.allocUnsafe(CHUNK_BYTES);
      const read = readSync(file, chunk);
      if (read === 0) return Buffer.concat(chunks).toString("utf8");
      bytes += read;
      if (bytes > limitBytes) throw new Error(`it is larger than ${limitBytes / 1024 / 1024} MB`);
      chunks.push(chunk.subarray(0, read));
    }
  } finally {
    if (typeof source === "string") closeSync(file);
  }
}
