import { join } from "node:path";
import type { SessionId } from "../core/id.ts";

/** Where a session's entry is kept. Apart from the rest, because a stop without a loop needs nothing else. */
export function sessionPath(home: string, session: SessionId): string {
  return join(home, "sessions", `${session}.json`);
}
