import { lstat } from "node:fs/promises";
import { join } from "node:path";
import { readBounded } from "../../system/files/read-file.ts";
import { fileDigest } from "../../system/tree/file-version.ts";
import type { DefiningFiles } from "./defining-files.ts";

const LARGEST_FILE_BYTES = 1024 * 1024;

/**
 * The current files of a folder. The caller knows which ones the project has, and may already know digests; digests are compared
 * with each other, so the opening and now need the same kind.
 */
export function filesAt(
  root: string,
  paths: readonly string[],
  digests: ReadonlyMap<string, string> = new Map(),
): DefiningFiles {
  return {
    paths,
    read: async (path) => {
      try {
        return readBounded(join(root, path), LARGEST_FILE_BYTES);
      } catch {
        return null;
      }
    },
    digest: async (path) => digests.get(path) ?? (await digestOf(root, path).catch(() => null)),
  };
}

async function digestOf(root: string, path: string): Promise<string | null> {
  const found = await lstat(join(root, path));
  // Opening a pipe would wait for a writer.
  return found.isFile() || found.isSymbolicLink() ? fileDigest(root, path) : null;
}
