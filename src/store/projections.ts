import { mkdirSync } from "node:fs";
import { join } from "node:path";
import type { Loop } from "../core/loop.ts";
import { topFrame } from "../core/loop.ts";
import { readBounded } from "../files/read-bounded.ts";
import { writeAtomically } from "../files/write-atomically.ts";
import { progressView } from "../views/progress-view.ts";
import { shapeView } from "../views/shape-view.ts";
import { stateView } from "../views/state-view.ts";
import { workflowView } from "../views/workflow-view.ts";
import type { Project } from "./project.ts";
import { writeStateFile } from "./state-file.ts";

const SIZE_LIMIT_BYTES = 4 * 1024 * 1024;

/**
 * Writes what can be rebuilt from the journal. A file that cannot be written, or whose folder is gone, is
 * left out: the journal has said it already.
 */
export function writeProjections(project: Project, loop: Loop, sequence: number): void {
  // They are about the workflow that an attempt is part of.
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

/** Most records change little of what is shown, and reading costs a tenth of writing. */
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

/** Not recursive: a `.loop/` that was deleted is not brought back by a projection. */
function makeFolder(folder: string): void {
  try {
    mkdirSync(folder, { mode: 0o700 });
  } catch {
    // it is there, or its parent is not; the write tells
  }
}

function attempt(write: () => void): void {
  try {
    write();
  } catch {
    // see above
  }
}
