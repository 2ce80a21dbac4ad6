import { findProject } from "../store/project.ts";
import type { LockedLoop } from "../loops/locked-loop.ts";
import { inspectLoop } from "../loops/find-loop.ts";
import type { Machine } from "../loops/machine.ts";

/** The trusted loops of this project, most recently changed first. Quick, because it only reads our own files. */
export async function recentLoops(machine: Machine, limit: number): Promise<readonly LockedLoop[]> {
  const project = findProject(machine.cwd);
  const ids = (await machine.journals(project).list()).slice(0, limit);
  const found = await Promise.all(ids.map(async (id) => inspectLoop(machine, project, id)));
  return found.filter((each) => each.type === "loop");
}
