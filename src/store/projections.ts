import { mkdirSync } from "node:fs";
import { join } from "node:path";
import type { Loop } from "../core/loop.ts";
import { topFrame } from "../core/loop.ts";
import { writeAtomically } from "../files/write-atomically.ts";
import { progressView } from "../views/progress-view.ts";
import { shapeView } from "../views/shape-view.ts";
import { stateView } from "../views/state-view.ts";
import { workflowView } from "../views/workflow-view.ts";
import type { Project } from "./project.ts";
import { writeStateFile } from "./state-file.ts";

/**
 * Writes what can be rebuilt from the journal. A file that cannot be written, or whose folder is gone, is
 * left out: the journal has said it already.
 */
export function writeProjections(project: Project, loop: Loop, sequence: number): void {
  attempt(() => writeStateFile(project, stateView(loop, sequence)));
  attempt(() => writeAtomically(join(project.folder, "PROGRESS.md"), progressView(loop)));
  attempt(() => {
    const folder = join(project.folder, "shape");
    makeFolder(folder);
    writeAtomically(join(folder, "SHAPE.md"), shapeView(loop));
  });
  if (topFrame(loop).exitRule === "tasks") {
    const text = `${JSON.stringify(workflowView(loop), null, 2)}\n`;
    attempt(() => writeAtomically(join(project.folder, "workflow-state.json"), text));
  }
}

/** Not recursive: a `.loop/` that was deleted is not brought back by a projection. */
function makeFolder(folder: string): void {
  try {
    mkdirSync(folder);
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
