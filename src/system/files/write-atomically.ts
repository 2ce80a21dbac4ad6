import { closeSync, fsyncSync, openSync, renameSync, rmSync, writeFileSync } from "node:fs";

/**
 * Readers see the old content or the new, never a part. Doesn't create the folder: what was deleted stays deleted. Without a
 * mode, only the user can read the file.
 */
export function writeAtomically(
  path: string,
  contents: string | Uint8Array,
  options: { readonly durable?: boolean; readonly mode?: number } = {},
): void {
  const draft = `${path}.${process.pid}.${Math.random().toString(36).slice(2, 8)}.tmp`;
  const file = openSync(draft, "wx", options.mode ?? 0o600);
  try {
    try {
      writeFileSync(file, contents);
      if (options.durable === true) fsyncSync(file);
    } finally {
      closeSync(file);
    }
    renameSync(draft, path);
  } catch (error) {
    rmSync(draft, { force: true });
    throw error;
  }
}
