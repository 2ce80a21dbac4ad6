import type { SessionId } from "../../core/loop/id.ts";
import { isBoundTo, type Loop } from "../../core/loop/loop.ts";
import type { Host } from "../../agents/hosts/host.ts";
import { isTrusted } from "../../storage/home/approval-record.ts";
import { markTold } from "../../storage/home/approval-marks.ts";
import { forgetSession, rememberTold, wasTold } from "../../storage/home/session-files.ts";
import type { SessionLoop } from "../../storage/loops/known-loop.ts";
import type { Machine } from "../../storage/loops/machine.ts";
import { pausedInSession } from "../../views/reply.ts";
import { cancelledLine, takenLine, untrustedLine } from "../../views/session-texts.ts";

interface NotHeld {
  readonly text: string;
  /** To be called once the user has been shown it. */
  readonly delivered: () => void;
}

/**
 * Why the session of a loop is not held, whoever saw to that: a stop, its user elsewhere, another session. Null: it is held, or its
 * user has been told.
 */
export function whyNotHeld(
  { home }: Pick<Machine, "home">,
  session: SessionId,
  found: SessionLoop,
  host: Host,
): NotHeld | null {
  if (found.type === "none") return null;
  const once = (what: string, text: string, delivered = (): void => undefined): NotHeld | null =>
    wasTold(home, session, what)
      ? null
      : {
          text,
          delivered: () => {
            rememberTold(home, session, what);
            delivered();
          },
        };
  const { entry } = found;
  const forget = (): void => forgetSession(home, session, entry.loop);
  if (entry.isCancelled === true) return once(`${entry.loop} cancelled`, cancelledLine(entry.loop), forget);
  if (found.type === "unreadable") return null;
  const untrusted = (): NotHeld | null => once(`${entry.loop} untrusted`, untrustedLine(entry.loop));
  if (found.type === "untrusted") return untrusted();
  const { loop } = found.known.live;
  if (!isBoundTo(loop, session)) return once(`${loop.id} taken`, takenLine(loop, host), forget);
  if (loop.phase !== "paused") return null;
  if (!isTrusted(found.known.approval, loop)) return untrusted();
  return once(pauseMark(loop), pausedInSession(loop, host), () => markTold({ home, ...entry }));
}

/** A stop, a prompt or a session's start has shown the pause to its user. */
export function rememberPauseTold({ home }: Pick<Machine, "home">, session: SessionId, loop: Loop): void {
  rememberTold(home, session, pauseMark(loop));
}

/** Paused again is another pause. */
function pauseMark({ id, updatedAt }: Loop): string {
  return `${id} paused ${updatedAt}`;
}
