import { closeSync, openSync, readSync } from "node:fs";

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
