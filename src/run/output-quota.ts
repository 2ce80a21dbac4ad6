import { lstatSync, rmSync } from "node:fs";
import { join } from "node:path";
import { listTurns, runsFolder } from "../app/turn-folders.ts";
import type { LoopId } from "../core/id.ts";
import type { Project } from "../store/project.ts";
import { OUTPUT_FILE, OUTPUT_LIMIT_BYTES } from "./turn-folder.ts";

/** Over all turns of a loop. */
const KEPT_BYTES = 256 * 1024 * 1024;

/** Room for what the turns of one loop print. */
export interface OutputQuota {
  /** Before a turn is given a folder. */
  readonly make: () => void;
  /** What is printed from now on, is printed there. */
  readonly isUsedBy: (turn: string) => void;
}

/** Looks through all turns only when there may be too much of it, not before each of a thousand. */
export function outputQuota(project: Project, loop: LoopId): OutputQuota {
  let kept: number | null = null;
  let last: string | null = null;
  return {
    make: () => {
      if (kept !== null && last !== null) kept += sizeOf(outputPath(project, loop, last));
      last = null;
      if (kept === null || kept + OUTPUT_LIMIT_BYTES > KEPT_BYTES) kept = makeRoom(project, loop);
    },
    isUsedBy: (turn) => {
      last = turn;
    },
  };
}

/**
 * Deletes what the oldest turns printed, as far as the next one needs the room, and tells how much is left. Their folders
 * stay, with prompt and ending: they are what attempts are counted by.
 */
function makeRoom(project: Project, loop: LoopId): number {
  const outputs = listTurns(project, loop).flatMap((turn) => {
    const path = outputPath(project, loop, turn);
    const found = lstatSync(path, { throwIfNoEntry: false });
    return found === undefined ? [] : [{ path, bytes: found.size, at: found.mtimeMs }];
  });
  let bytes = outputs.reduce((sum, output) => sum + output.bytes, 0);
  for (const output of outputs.toSorted((one, other) => one.at - other.at)) {
    if (bytes + OUTPUT_LIMIT_BYTES <= KEPT_BYTES) break;
    try {
      rmSync(output.path, { force: true });
      bytes -= output.bytes;
    } catch {
      // What cannot be deleted stays, and the next ones go instead.
    }
  }
  return bytes;
}

function outputPath(project: Project, loop: LoopId, turn: string): string {
  return join(runsFolder(project, loop), turn, OUTPUT_FILE);
}

function sizeOf(path: string): number {
  return lstatSync(path, { throwIfNoEntry: false })?.size ?? 0;
}
