import { statSync } from "node:fs";
import { findProject, journalPath, listLoopIds } from "../store/project.ts";
import type { ChosenLoop } from "../loops/find-loop.ts";
import { inspectLoop } from "../loops/find-loop.ts";
import type { Machine } from "../loops/machine.ts";

/** The trusted loops of this project that changed last, newest first. Looks at files of ours only, so that it is quick. */
export function recentLoops(machine: Machine, limit: number): readonly ChosenLoop[] {
  const project = findProject(machine.cwd);
  const changedAt = (path: string): number => statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0;
  return listLoopIds(project)
    .map((id) => ({ id, at: changedAt(journalPath(project, id)) }))
    .toSorted((a, b) => b.at - a.at)
    .slice(0, limit)
    .map(({ id }) => inspectLoop(machine, project, id))
    .filter((found) => found.type === "loop");
}
