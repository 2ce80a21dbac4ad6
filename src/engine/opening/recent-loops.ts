import { findProject } from "../../storage/home/project.ts";
import type { LockedLoop } from "../../storage/loops/locked-loop.ts";
import { inspectLoop, isAttempt } from "../../storage/loops/locked-loop.ts";
import type { Machine } from "../../storage/loops/machine.ts";

/** A plan leaves many attempts, which are looked at in vain. */
const MOST_LOOKED_AT = 10;

/** The trusted loops of this project, most recently changed first. Quick, because it only reads our own files. */
export async function recentLoops(machine: Machine, limit: number): Promise<readonly LockedLoop[]> {
  const project = findProject(machine.cwd);
  const ids = (await machine.journals(project).list()).slice(0, limit * MOST_LOOKED_AT);
  const recent: LockedLoop[] = [];
  for (let at = 0; at < ids.length && recent.length < limit; at += limit) {
    const some = ids.slice(at, at + limit);
    const found = await Promise.all(some.map(async (id) => inspectLoop(machine, project, id)));
    recent.push(...found.filter((each) => each.type === "loop").filter((each) => !isAttempt(each)));
  }
  return recent.slice(0, limit);
}
