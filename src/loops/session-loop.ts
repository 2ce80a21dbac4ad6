import type { SessionId } from "../core/id.ts";
import { JournalError } from "../journal/journal-error.ts";
import type { SessionEntry } from "../store/session-index.ts";
import { findSession } from "../store/session-index.ts";
import { projectAt } from "../store/project.ts";
import type { LockedLoop } from "./locked-loop.ts";
import { openLocked } from "./locked-loop.ts";
import type { Machine } from "./machine.ts";

/** A session's loop, looked up once for each call of a hook. */
export type SessionLoop =
  | { readonly type: "none" }
  | { readonly type: "untrusted"; readonly entry: SessionEntry }
  | { readonly type: "unreadable"; readonly entry: SessionEntry; readonly error: JournalError }
  | { readonly type: "loop"; readonly entry: SessionEntry; readonly locked: LockedLoop };

export async function loopOfSession(machine: Machine, session: SessionId): Promise<SessionLoop> {
  const entry = findSession(machine.home, session);
  if (entry === null) return { type: "none" };
  try {
    const locked = await openLocked(machine, projectAt(entry.root), entry.loop);
    return locked === null ? { type: "untrusted", entry } : { type: "loop", entry, locked };
  } catch (error) {
    if (error instanceof JournalError) return { type: "unreadable", entry, error };
    throw error;
  }
}
