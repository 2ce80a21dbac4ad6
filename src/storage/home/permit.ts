import { rmSync } from "node:fs";
import * as v from "valibot";
import type { SessionId } from "../../core/loop/id.ts";
import { readJsonFile, writePrivateJson } from "../../system/files/json-file.ts";
import { sessionPath } from "./session-path.ts";

const schema = v.object({
  command: v.string(),
  args: v.string(),
  at: v.number(),
  /** The host's id of the prompt it was typed in, which identifies a second report. */
  promptId: v.nullable(v.string()),
  isTaken: v.boolean(),
});

/** A command that the user typed in a session, word for word. The agent may run it once. */
export type Permit = Readonly<v.InferOutput<typeof schema>>;

/** Long enough for an agent to get to it, too short to save for later. */
const VALID_MS = 10 * 60_000;

/** A host may report one typed command twice; it still counts once. */
export function grantPermit(home: string, session: SessionId, permit: Omit<Permit, "isTaken">): void {
  const path = sessionPath(home, session, "permit");
  const known = readJsonFile(path, schema);
  if (permit.promptId !== null && known?.promptId === permit.promptId) return;
  writePrivateJson(path, { ...permit, isTaken: false });
}

/** Drops the permit, because the user has said something else since. */
export function revokePermit(home: string, session: SessionId): void {
  rmSync(sessionPath(home, session, "permit"), { force: true });
}

/** Takes a permit that covers the request, so it works only once. */
export function takePermit(
  home: string,
  session: SessionId,
  now: number,
  covers: (permit: Permit) => boolean,
): boolean {
  const path = sessionPath(home, session, "permit");
  const permit = readJsonFile(path, schema);
  if (permit === null || permit.isTaken || now - permit.at > VALID_MS || !covers(permit)) return false;
  writePrivateJson(path, { ...permit, isTaken: true });
  return true;
}
