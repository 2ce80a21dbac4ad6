import { parseLoopId } from "../core/id.ts";
import { isEnded } from "../core/loop.ts";
import type { Project } from "../store/project.ts";
import { ALL_CHECKPOINTS, dropCheckpoints, listCheckpoints } from "../worktree/checkpoint-refs.ts";
import { inspectLoop } from "./find-loop.ts";
import type { Machine } from "./machine.ts";

const KEPT_MS = 14 * 24 * 3_600_000;

/**
 * Lets go of what nobody will undo any more: checkpoints of loops that ended two weeks ago. What is not known here stays: refs
 * are shared by all worktrees of a repository, and the loop may be at work in another one.
 */
export async function pruneCheckpoints(machine: Machine, project: Project): Promise<void> {
  const old = (await listCheckpoints(project.root, ALL_CHECKPOINTS)).filter(
    ({ at }) => machine.now() - at > KEPT_MS,
  );
  const isOver = new Map<string, boolean>();
  for (const { ref } of old) {
    const name = ref.split("/")[2] ?? "";
    const id = parseLoopId(name);
    if (isOver.has(name) || id === null) continue;
    const found = inspectLoop(machine, project, id);
    isOver.set(name, found.type === "loop" && isEnded(found.standing.loop));
  }
  await dropCheckpoints(
    project.root,
    old.map(({ ref }) => ref).filter((ref) => isOver.get(ref.split("/")[2] ?? "") === true),
  );
}
