import { join } from "node:path";
import type { SessionId } from "../../core/loop/id.ts";

/**
 * The files kept for a host's session. Separate from the code that reads them, because most hooks of most sessions only need to
 * see that a file doesn't exist.
 */
export type SessionFile =
  /** Which loop the session has. */
  | "loop"
  /** When it started, and where its transcript is. */
  | "start"
  /** Its agent's deeds since the last stop. */
  | "activity"
  /** What its user typed, and the agent may therefore do once. */
  | "permit"
  /** What ran in the background at the last stop. */
  | "background";

export function sessionPath(home: string, session: SessionId, file: SessionFile): string {
  return join(home, "sessions", `${session}.${file}.json`);
}
