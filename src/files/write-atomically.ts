import { closeSync, fsyncSync, openSync, renameSync, rmSync, writeFileSync } from "node:fs";

/**
 * Readers see the old contents or the new ones, never a part. The folder is not created: what was deleted stays so. For the
 * user's eyes only, where no mode is given.
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
