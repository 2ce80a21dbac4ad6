import { closeSync, constants, fstatSync, openSync, readSync, type Stats } from "node:fs";
import { createLineSplitter } from "./line-splitter.ts";

const CHUNK_BYTES = 64 * 1024;

/** null: it is no file, or cannot be read now. A pipe is not waited for. */
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
 * The whole lines between two places of a file, those left out that are longer than the limit. Returns the place behind
 * the last of them, where the next reading goes on; inside a line that is too long, that is the end of what was read.
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

/** Nothing when it fails: what was read up to here stays read. */
function readInto(buffer: Buffer, file: number, position: number): Buffer {
  try {
    return buffer.subarray(0, readSync(file, buffer, 0, buffer.length, position));
  } catch {
    return buffer.subarray(0, 0);
  }
}
