import { lstat, readFile } from "node:fs/promises";
import { join } from "node:path";
import type { OldFile } from "./kept-files.ts";

const LARGEST_BYTES = 256 * 1024;

/** A file of the project as text; null if it is missing, no plain file, or too large to be written by hand. */
export async function readFileNow(
  root: string,
  path: string,
): Promise<{ readonly text: string; readonly mode: OldFile["mode"] } | null> {
  const file = join(root, path);
  const look = await lstat(file).catch(() => null);
  if (look === null || !look.isFile() || look.size > LARGEST_BYTES) return null;
  const text = await readFile(file, "utf8").catch(() => null);
  return text === null ? null : { text, mode: (look.mode & 0o100) === 0 ? "100644" : "100755" };
}
