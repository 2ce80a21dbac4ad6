import type { BigIntStats } from "node:fs";
import { closeSync, constants, fstatSync, openSync, statSync, writeFileSync } from "node:fs";
import { writeAtomically } from "../files/write-atomically.ts";

const TO_APPEND = constants.O_WRONLY | constants.O_APPEND | constants.O_NONBLOCK | constants.O_NOFOLLOW;

/**
 * A file that grows. Where it is not as it was left, because it was deleted, edited, or replaced by another process that
 * writes the same one, it is put in its place as a whole.
 */
export function growingFile(
  path: string,
  whole: () => Promise<string>,
): { readonly grow: (text: string) => Promise<void> } {
  let left: string | null = null;
  /** Through one handle: what takes its place meanwhile is not appended to. */
  const append = (text: string): boolean => {
    const file = openOrNull(path);
    if (file === null) return false;
    try {
      if (identityOf(fstatSync(file, { bigint: true })) !== left) return false;
      writeFileSync(file, text);
      left = identityOf(fstatSync(file, { bigint: true }));
      return true;
    } finally {
      closeSync(file);
    }
  };
  const replace = async (): Promise<void> => {
    const text = await whole();
    writeAtomically(path, text);
    const found = statSync(path, { bigint: true });
    // Of another size it is somebody else's already.
    left = Number(found.size) === Buffer.byteLength(text) ? identityOf(found) : null;
  };
  return {
    grow: async (text) => {
      if (!append(text)) await replace();
    },
  };
}

function openOrNull(path: string): number | null {
  try {
    return openSync(path, TO_APPEND);
  } catch {
    return null;
  }
}

/** An inode's number alone is soon another file's. */
function identityOf({ ino, size, mtimeNs, ctimeNs }: BigIntStats): string {
  return [ino, size, mtimeNs, ctimeNs].join(" ");
}
