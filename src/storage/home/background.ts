import * as v from "valibot";
import type { SessionId } from "../../core/loop/id.ts";
import { readJsonFile, writePrivateJson } from "../../system/files/json-file.ts";
import { sessionPath } from "./session-path.ts";

const schema = v.array(v.string());

/** Ids of the shells that ran when the session last stopped. */
export function shellsAtLastStop(home: string, session: SessionId): readonly string[] {
  return readJsonFile(sessionPath(home, session, "background"), schema) ?? [];
}

export function rememberShells(home: string, session: SessionId, ids: readonly string[]): void {
  if (ids.length === 0 && shellsAtLastStop(home, session).length === 0) return;
  writePrivateJson(sessionPath(home, session, "background"), ids);
}
