import { createHash, randomUUID } from "node:crypto";
import { readFileSync, renameSync, statSync, writeFileSync } from "node:fs";
import type { ObjectHash } from "../git/git-files.ts";
import { ID_BYTES, LIMIT_BYTES, walkIndexFile } from "./index-entries.ts";

/**
 * Has git read a file again next time that changed in the second in which it was read, or later. Git compares whole seconds, so a file of
 * the same length that changes once more within that second, and gets back its date, would look as it did.
 */
export function doubtEntriesSince(path: string, hash: ObjectHash, seenSince: number): void {
  if (statSync(path).size > LIMIT_BYTES) return;
  const file = readFileSync(path);
  const doubtful: number[] = [];
  const isWhole = walkIndexFile(file, ID_BYTES[hash], (start) => {
    if (file.readUInt32BE(start) >= seenSince && file.readUInt32BE(start + MODIFIED_AT) < seenSince)
      doubtful.push(start);
  });
  if (!isWhole || doubtful.length === 0) return;
  for (const start of doubtful) file.writeUInt32BE(0, start);
  const end = file.length - ID_BYTES[hash];
  createHash(hash).update(file.subarray(0, end)).digest().copy(file, end);
  // The one there may be a link to the cached index, which another process may be reading.
  const temporary = `${path}.${randomUUID()}`;
  writeFileSync(temporary, file, { mode: 0o600 });
  renameSync(temporary, path);
}

/** In an entry, which begins with the second of its file's change. */
const MODIFIED_AT = 8;
