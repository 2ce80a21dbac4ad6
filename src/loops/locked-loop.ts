import { join } from "node:path";
import type { LoopId } from "../core/id.ts";
import { JournalError } from "../journal/journal-error.ts";
import type { LoopLock } from "../store/loop-lock.ts";
import { isLocked, readLock } from "../store/loop-lock.ts";
import { keepPrivate, linkBelow } from "../store/own-folders.ts";
import type { Project } from "../store/project.ts";
import type { Workplace } from "../store/workplace.ts";
import { isBelowRoot, workplaceOf } from "../store/workplace.ts";
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

/** null: this machine doesn't know it, so its files aren't even read, or its folder leads out of its worktree. */
export async function openLocked(machine: Machine, project: Project, id: LoopId): Promise<LockedLoop | null> {
  if (!isLocked(machine.home, project.root, id)) return null;
  const link = linkBelow(project, id);
  if (link !== null) throw new JournalError("unwritable", link);
  for (const folder of [machine.home, join(project.folder, "loops")]) keepPrivate(folder);
  const live = await openLiveLoop(machine, project, id);
  // After the loop: a plan is approved before the journal records it.
  const lock = readLock(machine.home, project.root, id);
  if (lock === null) return null;
  const workplace = workplaceOf(project, lock.worktree, live.loop.folder);
  return isBelowRoot(workplace) ? { id, live, lock, workplace } : null;
}
