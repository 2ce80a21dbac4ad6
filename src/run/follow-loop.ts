import { statSync } from "node:fs";
import type { FoundLoop } from "../loops/find-loop.ts";
import { inspectLoop } from "../loops/find-loop.ts";
import type { Machine } from "../loops/machine.ts";
import type { LoopId } from "../core/id.ts";
import type { Project } from "../store/project.ts";
import { journalPath } from "../store/project.ts";

/** Looks whether a loop's journal has changed since the last look, and what is found then; null when it has not. */
export function followLoop(machine: Machine, project: Project, id: LoopId): () => FoundLoop | null {
  let known: string | null = null;
  return () => {
    const stat = statSync(journalPath(project, id), { throwIfNoEntry: false });
    const seen = stat === undefined ? "" : `${stat.ino}:${stat.size}`;
    if (seen === known) return null;
    known = seen;
    return inspectLoop(machine, project, id);
  };
}
