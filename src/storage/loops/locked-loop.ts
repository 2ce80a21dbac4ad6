import { join } from "node:path";
import type { LoopId } from "../../core/id.ts";
import type { Loop } from "../../core/loop.ts";
import { JournalError } from "../journal/journal-error.ts";
import type { LocalLoop, LoopLock } from "../home/loop-lock.ts";
import { isTrusted, readLock } from "../home/loop-lock.ts";
import { keepPrivate, linkBelow } from "../home/own-folders.ts";
import type { Project } from "../home/project.ts";
import type { Standpoint } from "../home/standpoint.ts";
import type { Workplace } from "../home/workplace.ts";
import { isBelowRoot, workplaceOf } from "../home/workplace.ts";
import type { LiveLoop } from "./live-loop.ts";
import { openLiveLoop } from "./live-loop.ts";
import type { Machine } from "./machine.ts";

/** A loop with its lock. */
export interface LockedLoop {
  readonly id: LoopId;
  readonly live: LiveLoop;
  readonly lock: LoopLock;
  readonly workplace: Workplace;
}

export function localLoop(
  { home }: Pick<Machine, "home">,
  { id, live }: Pick<LockedLoop, "id" | "live">,
): LocalLoop {
  return { home, root: live.project.root, loop: id };
}

/** Where somebody stands who stands where the loop works. */
export function standpointOf({ live }: Pick<LockedLoop, "live">): Standpoint {
  return { project: live.project, folder: live.loop.folder };
}

/** null: this machine knows nothing of it, and then its files are not even read; or its folder leads out of its worktree. */
export async function openLocked(machine: Machine, project: Project, id: LoopId): Promise<LockedLoop | null> {
  const local = { home: machine.home, root: project.root, loop: id };
  const known = readLock(local);
  if (known === null) return null;
  const link = linkBelow(project, id);
  if (link !== null) throw new JournalError("unwritable", link);
  for (const folder of [machine.home, join(project.folder, "loops")]) keepPrivate(folder);
  const live = await openLiveLoop(machine, project, id);
  const lock = isTrusted(known, live.loop) ? known : readLock(local);
  if (lock === null) return null;
  const workplace = workplaceOf(project, lock.worktree, live.loop.folder);
  const folders = foldersOfChecks(live.loop).map((folder) => workplaceOf(project, lock.worktree, folder));
  return [workplace, ...folders].every(isBelowRoot) ? { id, live, lock, workplace } : null;
}

function foldersOfChecks({ frames, mustNots }: Loop): readonly string[] {
  const checks = [
    ...frames.flatMap(({ criteria }) => criteria.map(({ check }) => check)),
    ...mustNots.map((each) => (each.kind === "run" ? each.check : null)),
  ];
  return [...new Set(checks.flatMap((check) => check?.folder ?? []))];
}
