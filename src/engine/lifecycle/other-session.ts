import { statSync } from "node:fs";
import type { SessionId } from "../../core/id.ts";
import type { Loop } from "../../core/loop.ts";
import { livingDriver } from "../../storage/loops/locked-loop.ts";
import type { Machine } from "../../storage/loops/machine.ts";
import { sessionPath } from "../../storage/home/state-home.ts";
import { findStart } from "../../storage/home/session-files.ts";
import { ageText } from "../../system/text/duration.ts";

/** A session that works on a loop, and when it was last active. */
export interface OtherSession {
  readonly session: SessionId;
  readonly isAlive: boolean;
  /** `session 8c7b1f0e, last active 3 min ago`. */
  readonly text: string;
}

/** A session silent for longer counts as gone; then anyone may continue its loop. */
const ALIVE_MS = 10 * 60_000;

/** The other session that an active loop is bound to; null if there is none. */
export function otherSessionOf(
  { home, now }: Machine,
  loop: Loop,
  own: SessionId | null,
): OtherSession | null {
  const session = loop.phase === "active" ? (loop.binding?.session ?? null) : null;
  if (session === null || session === own) return null;
  const heardAt = Math.max(loop.updatedAt, ...heardOf(home, session));
  const driver = livingDriver(loop);
  return {
    session,
    isAlive: driver !== null || (loop.driven?.run !== session && now() - heardAt < ALIVE_MS),
    text: `session ${session.slice(0, 12)}, last active ${ageText(now() - heardAt)}`,
  };
}

/** Its transcript grows with every answer, and its tools leave a trace. */
function heardOf(home: string, session: SessionId): readonly number[] {
  const transcript = findStart(home, session)?.transcriptPath ?? null;
  return [sessionPath(home, session, "activity"), ...(transcript === null ? [] : [transcript])].map(
    changedAt,
  );
}

function changedAt(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0;
}
