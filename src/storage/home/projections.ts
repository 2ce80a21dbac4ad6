import { mkdirSync } from "node:fs";
import { join } from "node:path";
import type { Loop } from "../../core/loop/loop.ts";
import { topFrame } from "../../core/loop/loop.ts";
import { readBounded } from "../../system/files/read-file.ts";
import { writeAtomically } from "../../system/files/write-atomically.ts";
import { progressView } from "../../views/files/progress.ts";
import { shapeView } from "../../views/files/shape.ts";
import { stateView, workflowView } from "../../views/files/state.ts";
import type { Project } from "./project.ts";
import { writeStateFile } from "./state-file.ts";

const SIZE_LIMIT_BYTES = 4 * 1024 * 1024;

/**
 * Writes what can be rebuilt from the journal. Skips a file that cannot be written or whose folder is gone, since the journal
 * has it all. A project has one of each, and an attempt at a task leaves them to its workflow.
 */
export function writeProjections(project: Project, loop: Loop, sequence: number): void {
  if (loop.attemptOf !== null) return;
  attempt(() => writeStateFile(project, stateView(loop, sequence)));
  attempt(() => writeIfChanged(join(project.folder, "PROGRESS.md"), progressView(loop)));
  attempt(() => {
    const folder = join(project.folder, "shape");
    makeFolder(folder);
    writeIfChanged(join(folder, "SHAPE.md"), shapeView(loop));
  });
  if (topFrame(loop).exitRule === "tasks") {
    const text = `${JSON.stringify(workflowView(loop), null, 2)}\n`;
    attempt(() => writeIfChanged(join(project.folder, "workflow-state.json"), text));
  }
}

/** Most records change few projections, and reading costs a tenth of writing. */
function writeIfChanged(path: string, text: string): void {
  if (!isAlready(path, text)) writeAtomically(path, text);
}

function isAlready(path: string, text: string): boolean {
  try {
    return readBounded(path, SIZE_LIMIT_BYTES) === text;
  } catch {
    return false;
  }
}

/** Not recursive: a projection doesn't recreate a deleted `.loop/`. */
function makeFolder(folder: string): void {
  try {
    mkdirSync(folder, { mode: 0o700 });
  } catch {
    // it exists, or its parent doesn't; the write will tell
  }
}

function attempt(write: () => void): void {
  try {
    write();
  } catch {
    // see above
  }
}
