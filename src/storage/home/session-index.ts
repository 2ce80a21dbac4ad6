import { rmSync } from "node:fs";
import * as v from "valibot";
import type { LoopId, SessionId } from "../../core/loop/id.ts";
import { parseLoopId } from "../../core/loop/id.ts";
import { isUnreadable, readJsonFile, writePrivateJson } from "../../system/files/json-file.ts";
import { sessionPath } from "./session-path.ts";

/** Which loop a session has. Only a hint for speed: the loop's journal has the binding. */
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

/** Whether the session's entry cannot be read: damaged, or without permission. */
export function isEntryUnreadable(home: string, session: SessionId): boolean {
  return isUnreadable(sessionPath(home, session, "loop"), schema);
}

export function rememberSession(home: string, session: SessionId, entry: SessionEntry): void {
  writePrivateJson(sessionPath(home, session, "loop"), entry);
}

/** Only if the entry is for that loop: the session may have another one by now. */
export function forgetSession(home: string, session: SessionId, loop: LoopId): void {
  if (findSession(home, session)?.loop !== loop) return;
  rmSync(sessionPath(home, session, "loop"), { force: true });
}
