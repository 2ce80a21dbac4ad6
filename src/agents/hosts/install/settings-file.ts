import { chmodSync, existsSync, mkdirSync, readFileSync, realpathSync, statSync } from "node:fs";
import { dirname } from "node:path";
import { errnoOf } from "../../../system/files/path-errors.ts";
import { writeAtomically } from "../../../system/files/write-atomically.ts";

/** null: there is no such file. */
export function readIfThere(path: string): string | null {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    const code = errnoOf(error);
    if (code === "ENOENT" || code === "ENOTDIR") return null;
    throw error;
  }
}

/** Writes through links: settings are often kept elsewhere and linked. */
export function writeSettings(path: string, text: string): void {
  if (!existsSync(path)) {
    mkdirSync(dirname(path), { recursive: true });
    return writeAtomically(path, text, { durable: true, mode: 0o666 });
  }
  const target = realpathSync(path);
  const mode = statSync(target).mode & 0o777;
  writeAtomically(target, text, { durable: true, mode });
  return chmodSync(target, mode);
}
