import { closeSync, constants, existsSync, fstatSync, openSync, readFileSync } from "node:fs";

const LIMIT_BYTES = 16 * 1024 * 1024;

/**
 * The text of a small file; empty where there is none that we may read, or one too large to be what it should be. Such looks are many, and a wait for each would cost
 * more than the look. So a pipe in the file's place is not waited for.
 */
export function readOrEmpty(path: string): string {
  // Most of those that are asked for are missing, and an error is dear.
  if (!existsSync(path)) return "";
  let file: number | null = null;
  try {
    file = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
    const found = fstatSync(file);
    return found.isFile() && found.size <= LIMIT_BYTES ? readFileSync(file, "utf8") : "";
  } catch {
    return "";
  } finally {
    if (file !== null) closeSync(file);
  }
}
