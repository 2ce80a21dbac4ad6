import type { SessionId } from "../../core/id.ts";
import { JournalError } from "../journal/journal-error.ts";
import type { SessionEntry } from "../home/session-index.ts";
import { isLockUnreadable } from "../home/loop-lock.ts";
import { findSession, isEntryUnreadable } from "../home/session-index.ts";
import { projectAt } from "../home/project.ts";
import type { LockedLoop } from "./locked-loop.ts";
import { openLocked } from "./locked-loop.ts";
import type { Machine } from "./machine.ts";
import { UserError } from "../../core/user-error.ts";

/** A session's loop, looked up once per call of a hook. */
export type SessionLoop =
  | { readonly type: "none" }
  | { readonly type: "untrusted"; readonly entry: SessionEntry }
  | { readonly type: "unreadable"; readonly entry: SessionEntry; readonly error: JournalError }
  | { readonly type: "loop"; readonly entry: SessionEntry; readonly locked: LockedLoop };

export async function loopOfSession(machine: Machine, session: SessionId): Promise<SessionLoop> {
  const entry = findSession(machine.home, session);
  if (entry === null) {
    if (!isEntryUnreadable(machine.home, session)) return { type: "none" };
    throw new UserError(`The records of this session in ${machine.home} cannot be read; run loop doctor.`);
  }
  try {
    const locked = await openLocked(machine, projectAt(entry.root), entry.loop);
    const isHeldToSomething = locked !== null && locked.lock.approved.length > 0;
    if (isHeldToSomething || !isLockUnreadable({ home: machine.home, root: entry.root, loop: entry.loop }))
      return locked === null ? { type: "untrusted", entry } : { type: "loop", entry, locked };
    throw new UserError(
      `The lock of the loop ${entry.loop} cannot be read; repair ${machine.home}, or approve the loop again: loop trust ${entry.loop}`,
    );
  } catch (error) {
    if (error instanceof JournalError) return { type: "unreadable", entry, error };
    throw error;
  }
}
