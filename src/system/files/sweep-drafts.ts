import { rmSync } from "node:fs";
import { join } from "node:path";
import { errnoOf } from "./errno.ts";
import { namesIn } from "./names-in.ts";

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
