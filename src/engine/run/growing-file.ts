import type { BigIntStats } from "node:fs";
import { closeSync, constants, fstatSync, openSync, statSync, writeFileSync } from "node:fs";
import { writeAtomically } from "../../system/files/write-atomically.ts";

const TO_APPEND = constants.O_WRONLY | constants.O_APPEND | constants.O_NONBLOCK | constants.O_NOFOLLOW;

/**
 * A file that grows. If it was deleted, edited or replaced by another process that writes the same file, it is written again as
 * a whole.
 */
export function growingFile(
  path: string,
  whole: () => Promise<string>,
): { readonly grow: (text: string) => Promise<void> } {
  let left: string | null = null;
  /** Uses one handle, so a file that replaces it meanwhile isn't appended to. */
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
    // A different size means that somebody else has changed it.
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

/** Inode numbers are soon reused, so the number alone is not enough. */
function identityOf({ ino, size, mtimeNs, ctimeNs }: BigIntStats): string {
  return [ino, size, mtimeNs, ctimeNs].join(" ");
}
