import { closeSync, constants, fstatSync, openSync, readSync, type Stats } from "node:fs";
import { createLineSplitter } from "./line-splitter.ts";

const CHUNK_BYTES = 64 * 1024;

/** null: not a file, or not readable now. Doesn't wait for a pipe. */
export function withFile<Value>(path: string, use: (file: number, stat: Stats) => Value): Value | null {
  let file: number;
  try {
    file = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
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

/**
 * The whole lines between two positions of a file, without those longer than the limit. Returns the position after the last
 * one, where the next read continues; inside a line that is too long, that is the end of what was read.
 */
export function readLines(
  file: number,
  { from, until, limitBytes }: { readonly from: number; readonly until: number; readonly limitBytes: number },
  onLine: (line: string) => void,
): number {
  const lines = createLineSplitter(limitBytes, onLine);
  const chunk = Buffer.allocUnsafe(Math.min(CHUNK_BYTES, until - from));
  let position = from;
  while (position < until) {
    const bytes = readInto(chunk.subarray(0, Math.min(chunk.length, until - position)), file, position);
    if (bytes.length === 0) break;
    lines.push(bytes);
    position += bytes.length;
  }
  return position - lines.begunBytes();
}

/** Empty when it fails: what was read so far stays. */
function readInto(buffer: Buffer, file: number, position: number): Buffer {
  try {
    return buffer.subarray(0, readSync(file, buffer, 0, buffer.length, position));
  } catch {
    return buffer.subarray(0, 0);
  }
}
