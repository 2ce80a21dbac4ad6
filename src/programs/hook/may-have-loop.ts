import { existsSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import type { SessionId } from "../../core/loop/id.ts";
import { parseSessionId } from "../../core/loop/id.ts";
import { findOnPath } from "../../system/files/find-on-path.ts";
import { sessionPath } from "../../storage/home/session-path.ts";
import type { Call } from "./call.ts";

/** Files of other hooks of this kind: with one, a session without our loop may still have a loop. */
const FOREIGN_FILES = [join(".loop", "state.json"), join(".claude", "idle-loop.local.md")];

/** Whether a hook call can concern a loop. Anything unclear is for the engine to decide. */
export function mayHaveLoop(call: Call, input: string, home: string, env: NodeJS.ProcessEnv): boolean {
  let payload: { readonly [key: string]: unknown };
  try {
    payload = JSON.parse(input) as { readonly [key: string]: unknown };
  } catch {
    return true;
  }
  const session = parseSessionId(payload?.["session_id"]);
  if (session !== null && hasEntry(home, session, call)) return true;
  switch (call.event) {
    case "stop":
      return call.reply !== "decision" || hasForeignStore(payload?.["cwd"], env);
    case "session-start":
      return session !== null;
    case "user-prompt-submit":
    case "user-prompt-expansion":
      return session !== null && input.includes("loop:");
    default:
      return false;
  }
}

/** Throws at a stop if this is unknown: then the session is let go, with the reason. */
function hasEntry(home: string, session: SessionId, { event }: Call): boolean {
  try {
    return statSync(sessionPath(home, session, "loop"), { throwIfNoEntry: false }) !== undefined;
  } catch (error) {
    if (event === "stop") throw error;
    return false;
  }
}

function hasForeignStore(cwd: unknown, env: NodeJS.ProcessEnv): boolean {
  if (findOnPath("jwz", env) !== null) return true;
  if (typeof cwd !== "string") return false;
  for (let folder = cwd; ; folder = dirname(folder)) {
    if (FOREIGN_FILES.some((file) => existsSync(join(folder, file)))) return true;
    if (existsSync(join(folder, ".git")) || dirname(folder) === folder) return false;
  }
}
