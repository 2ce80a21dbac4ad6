import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { parseSessionId } from "../core/id.ts";
import { sessionPath } from "../store/session-path.ts";
import type { Call } from "./call.ts";

/** Files of other hooks of this kind, by which a session without a loop of ours may still have one. */
const FOREIGN_STORES = [join(".loop", "state.json"), join(".claude", "idle-loop.local.md"), ".jwz"];

/** Whether a hook can concern a loop at all. What is not plainly somebody else's is for the engine to judge. */
export function mayConcernLoop(call: Call, input: string, home: string, env: NodeJS.ProcessEnv): boolean {
  let payload: { readonly [key: string]: unknown };
  try {
    payload = JSON.parse(input) as { readonly [key: string]: unknown };
  } catch {
    return true;
  }
  const session = parseSessionId(payload?.["session_id"]);
  if (session !== null && existsSync(sessionPath(home, session, "loop"))) return true;
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

function hasForeignStore(cwd: unknown, env: NodeJS.ProcessEnv): boolean {
  if (typeof cwd !== "string") return false;
  for (let folder = cwd; ; folder = dirname(folder)) {
    if (FOREIGN_STORES.some((store) => existsSync(join(folder, store)))) return true;
    if (existsSync(join(folder, ".git")) || dirname(folder) === folder) return env["LOOP_JWZ"] === "1";
  }
}
