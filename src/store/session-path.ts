import { join } from "node:path";
import type { SessionId } from "../core/id.ts";

/**
 * What is kept about a host's session, each in a file of its own. Apart from the code that reads them,
 * because most hooks of most sessions only need to see that a file is not there.
 */
export type SessionFile =
  /** Which loop the session has. */
  | "loop"
  /** When it started, and where its transcript is. */
  | "start"
  /** What its agent did since the last stop. */
  | "activity"
  /** What its user typed and the agent may therefore do once. */
  | "permit"
  /** What ran in the background at the last stop. */
  | "background";

export function sessionPath(home: string, session: SessionId, file: SessionFile): string {
  return join(home, "sessions", `${session}.${file}.json`);
}
