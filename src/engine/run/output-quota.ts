import { lstatSync, rmSync } from "node:fs";
import { join } from "node:path";
import { listTurns, runsFolder } from "../lifecycle/turn-folders.ts";
import type { LoopId } from "../../core/loop/id.ts";
import type { Project } from "../../storage/home/project.ts";
import { OUTPUT_FILE, OUTPUT_LIMIT_BYTES } from "./turn-folder.ts";

/** Across all turns of a loop. */
const KEPT_BYTES = 256 * 1024 * 1024;

/** Limits what the turns of one loop print. */
export interface OutputQuota {
  /** Before a turn is given a folder. */
  readonly make: () => void;
  /** From now on, output goes there. */
  readonly isUsedBy: (turn: string) => void;
}

/** Scans all turns only when there may be too much output, not before each of a thousand. */
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
 * Deletes the output of the oldest turns as far as the next one needs the space, and returns how much is left. Their folders
 * stay, with prompt and ending, because attempts are counted by them.
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
      // If one cannot be deleted, the next ones are.
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
