import { lstatSync, rmSync } from "node:fs";
import { join } from "node:path";
import { listTurns, runsFolder } from "../app/turn-folders.ts";
import type { LoopId } from "../core/id.ts";
import type { Project } from "../store/project.ts";
import { OUTPUT_FILE, OUTPUT_LIMIT_BYTES } from "./turn-folder.ts";

/** Over all turns of a loop. */
const KEPT_BYTES = 256 * 1024 * 1024;

/**
 * Deletes what the oldest turns printed, as far as the next one needs the room. Their folders stay, with prompt and ending:
 * they are what attempts are counted by. The open turn's output is what it is settled by, and stays, too.
 */
export function makeRoomForOutput(project: Project, loop: LoopId, openTurn: string | null): void {
  const outputs = listTurns(project, loop)
    .filter((turn) => turn !== openTurn)
    .flatMap((turn) => {
      const path = join(runsFolder(project, loop), turn, OUTPUT_FILE);
      const found = lstatSync(path, { throwIfNoEntry: false });
      return found === undefined ? [] : [{ path, bytes: found.size, at: found.mtimeMs }];
    });
  let bytes = outputs.reduce((sum, output) => sum + output.bytes, 0);
  for (const output of outputs.toSorted((one, other) => one.at - other.at)) {
    if (bytes + OUTPUT_LIMIT_BYTES <= KEPT_BYTES) return;
    try {
      rmSync(output.path, { force: true });
      bytes -= output.bytes;
    } catch {
      // What cannot be deleted stays, and the next ones go instead.
    }
  }
}
