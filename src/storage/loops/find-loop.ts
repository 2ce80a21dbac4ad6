import type { LoopId, SessionId } from "../../core/id.ts";
import { isBoundTo, isEnded } from "../../core/loop.ts";
import { JournalError } from "../journal/journal-error.ts";
import { isTrusted, readLock } from "../home/loop-lock.ts";
import type { Project } from "../home/project.ts";
import { projectAt } from "../home/project.ts";
import { findSession } from "../home/session-index.ts";
import type { LockedLoop } from "./locked-loop.ts";
import { openLocked } from "./locked-loop.ts";
import type { Machine } from "./machine.ts";
import { UserError } from "../../core/user-error.ts";

/** What is in a loop's folder. Only a trusted loop's text is shown, and only its commands run. */
export type FoundLoop =
  | ({ readonly type: "loop" } & LockedLoop)
  | { readonly type: "untrusted"; readonly id: LoopId }
  | { readonly type: "aborted"; readonly id: LoopId; readonly why: string }
  /** A later version of the program wrote it: not usable here, but nothing is wrong with it. */
  | { readonly type: "newer"; readonly id: LoopId; readonly why: string };

export async function inspectLoop(machine: Machine, project: Project, id: LoopId): Promise<FoundLoop> {
  try {
    const opened = await openLocked(machine, project, id);
    return opened === null ? { type: "untrusted", id } : await appraiseLoop(opened);
  } catch (error) {
    return unreadableFor(error, id);
  }
}

function unreadableFor(error: unknown, id: LoopId): FoundLoop {
  if (!(error instanceof JournalError)) throw error;
  return { type: error.code === "newer" ? "newer" : "aborted", id, why: error.message };
}

/** The same for one that was found before. */
export async function lookAgain(machine: Machine, chosen: LockedLoop): Promise<FoundLoop> {
  const { id, live } = chosen;
  try {
    const { loop } = live;
    // If nothing was recorded, nothing was approved either.
    if ((await live.refresh()) === loop) return { type: "loop", ...chosen };
    const lock = readLock({ home: machine.home, root: live.project.root, loop: id });
    return lock === null ? { type: "untrusted", id } : await appraiseLoop({ ...chosen, lock });
  } catch (error) {
    return unreadableFor(error, id);
  }
}

/** The current state of a loop that was opened before. */
export async function appraiseLoop(opened: LockedLoop): Promise<FoundLoop> {
  const { id, live, lock } = opened;
  const { loop, damage } = await live.look();
  if (!isTrusted(lock, loop)) return { type: "untrusted", id };
  if (damage !== null && !isEnded(loop))
    return { type: "aborted", id, why: `${damage}; repair or delete it` };
  return { type: "loop", ...opened };
}

/** The loops of the project, the last changed first. Attempts are part of their workflow, and found by their ids only. */
export async function inspectLoops(machine: Machine, project: Project): Promise<readonly FoundLoop[]> {
  const ids = await machine.journals(project).list();
  const found = await Promise.all(ids.map(async (id) => await inspectLoop(machine, project, id)));
  return found.filter((each) => !isAttempt(each)).toSorted((one, other) => changedAt(other) - changedAt(one));
}

export function isAttempt(found: FoundLoop): boolean {
  return found.type === "loop" && found.live.loop.attemptOf !== null;
}

/** The open loop bound to a session, wherever it is. */
export async function openLoopOfSession(machine: Machine, session: SessionId): Promise<LockedLoop | null> {
  const entry = findSession(machine.home, session);
  if (entry === null) return null;
  const found = await inspectLoop(machine, projectAt(entry.root), entry.loop);
  if (found.type !== "loop" || isEnded(found.live.loop)) return null;
  return isBoundTo(found.live.loop, session) ? found : null;
}

/** A loop that a newer program wrote to still belongs to its session, although this version cannot read it. */
export async function expectNoNewerLoop(machine: Machine, session: SessionId): Promise<void> {
  const entry = findSession(machine.home, session);
  if (entry === null) return;
  const found = await inspectLoop(machine, projectAt(entry.root), entry.loop);
  if (found.type === "newer")
    throw new UserError(`This session has the loop ${found.id}, which cannot be used: ${found.why}.`);
}

export function isOpen(found: FoundLoop): found is Extract<FoundLoop, { type: "loop" }> {
  return found.type === "loop" && !isEnded(found.live.loop);
}

function changedAt(found: FoundLoop): number {
  return found.type === "loop" ? found.live.loop.updatedAt : 0;
}
