import type { Hash } from "node:crypto";
import { closeSync, constants, openSync, readSync, readlinkSync, type BigIntStats } from "node:fs";

/** Larger files count by size and time. Checkpoints don't keep them either. */
const LARGEST_READ_BYTES = 100 * 1024 * 1024;

const CHUNK_BYTES = 1024 * 1024;
const AS_IT_LIES = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | constants.O_NONBLOCK;

export type FileMode = "100644" | "100755" | "120000";

/** As git names them. */
export function modeOf(found: BigIntStats): FileMode {
  if (found.isSymbolicLink()) return "120000";
  return (found.mode & 0o100n) === 0n ? "100644" : "100755";
}

/** Instead of a digest, if a file is too large to read; null if it isn't. */
export function largeMark(found: BigIntStats): string | null {
  if (!found.isFile() || found.size <= BigInt(LARGEST_READ_BYTES)) return null;
  return `large:${found.size}:${found.mtimeNs}`;
}

/** Whether a version has size and time instead of content. */
export function isByLooks(version: string): boolean {
  return version.includes(" large:");
}

/** Hashes a file's content; a link's content is its target. */
export function hashFile(hash: Hash, path: string | Buffer, found: BigIntStats): string {
  if (found.isSymbolicLink()) return hash.update(readlinkSync(path, { encoding: "buffer" })).digest("hex");
  const file = openSync(path, AS_IT_LIES);
  try {
    const chunk = Buffer.allocUnsafe(Math.min(CHUNK_BYTES, Number(found.size) + 1));
    for (let read = readSync(file, chunk); read > 0; read = readSync(file, chunk))
      hash.update(chunk.subarray(0, read));
    return hash.digest("hex");
  } finally {
    closeSync(file);
  }
}
