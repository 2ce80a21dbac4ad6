import { rmSync } from "node:fs";
import * as v from "valibot";
import type { LoopId, SessionId } from "../core/id.ts";
import { parseLoopId } from "../core/id.ts";
import { isUnreadable, readJsonFile, writePrivateJson } from "../files/json-file.ts";
import { sessionPath } from "./session-path.ts";

/** Which loop a session has. A hint for speed: the loop's own journal says whom it is bound to. */
export interface SessionEntry {
  readonly root: string;
  readonly loop: LoopId;
}

const schema = v.object({
  root: v.string(),
  loop: v.custom<LoopId>((value) => parseLoopId(value) !== null),
});

export function findSession(home: string, session: SessionId): SessionEntry | null {
  return readJsonFile(sessionPath(home, session, "loop"), schema);
}

/** Whether something is kept for the session that is no entry: damaged, or not ours to read. */
export function isEntryUnreadable(home: string, session: SessionId): boolean {
  return isUnreadable(sessionPath(home, session, "loop"), schema);
}

export function rememberSession(home: string, session: SessionId, entry: SessionEntry): void {
  writePrivateJson(sessionPath(home, session, "loop"), entry);
}

/** Only if it is that loop's: the session may have another one by now. */
export function forgetSession(home: string, session: SessionId, loop: LoopId): void {
  if (findSession(home, session)?.loop !== loop) return;
  rmSync(sessionPath(home, session, "loop"), { force: true });
}
