import { rmSync } from "node:fs";
import { join } from "node:path";
import * as v from "valibot";
import type { LoopId, SessionId } from "../core/id.ts";
import { parseLoopId } from "../core/id.ts";
import { readJsonFile, writePrivateJson } from "./json-file.ts";

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
  return readJsonFile(entryPath(home, session), schema);
}

export function rememberSession(home: string, session: SessionId, entry: SessionEntry): void {
  writePrivateJson(entryPath(home, session), entry);
}

export function forgetSession(home: string, session: SessionId): void {
  rmSync(entryPath(home, session), { force: true });
}

function entryPath(home: string, session: SessionId): string {
  return join(home, "sessions", `${session}.json`);
}
