import { closeSync, fsyncSync, openSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { errnoOf } from "./path-errors.ts";
import { namesIn } from "./folders.ts";

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

/** As `writeAtomically` names them, with the id of the writing process. */
const DRAFT = /\.(\d{1,10})\.[a-z0-9]{1,6}\.tmp$/;

/** Removes the drafts of writers that were killed, not those of living ones. */
export function sweepDrafts(folder: string): void {
  for (const name of namesIn(folder)) {
    const pid = Number(DRAFT.exec(name)?.[1]);
    if (Number.isInteger(pid) && !isAlive(pid)) rmSync(join(folder, name), { force: true });
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return errnoOf(error) === "EPERM";
  }
}
