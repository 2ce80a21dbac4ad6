import { rmSync } from "node:fs";
import * as v from "valibot";
import type { SessionId } from "../core/id.ts";
import { readJsonFile, writePrivateJson } from "../files/json-file.ts";
import { sessionPath } from "./session-path.ts";

const schema = v.object({
  command: v.string(),
  args: v.string(),
  at: v.number(),
  /** The host's name for the prompt that it was typed in, by which a second telling is known. */
  promptId: v.nullable(v.string()),
  isTaken: v.boolean(),
});

/** A command that the user typed in a session, word for word. The agent carries it out, once. */
export type Permit = Readonly<v.InferOutput<typeof schema>>;

/** Long enough for an agent to get to it, too short to be remembered for later. */
const VALID_MS = 10 * 60_000;

/** A host may tell of one typed command twice; that is still one. */
export function grantPermit(home: string, session: SessionId, permit: Omit<Permit, "isTaken">): void {
  const path = sessionPath(home, session, "permit");
  const known = readJsonFile(path, schema);
  if (permit.promptId !== null && known?.promptId === permit.promptId) return;
  writePrivateJson(path, { ...permit, isTaken: false });
}

/** The user has said something else since. */
export function revokePermit(home: string, session: SessionId): void {
  rmSync(sessionPath(home, session, "permit"), { force: true });
}

/** Takes a permit that covers what is asked, so that it serves once. */
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
