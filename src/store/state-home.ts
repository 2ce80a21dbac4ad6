import { homedir } from "node:os";
import { isAbsolute, join } from "node:path";

/** The folder for what this machine knows and no project may say: trust, locks, which session has which loop. */
export function stateHome(env: NodeJS.ProcessEnv): string {
  const configured = env["XDG_STATE_HOME"];
  const base =
    configured !== undefined && isAbsolute(configured)
      ? configured
      : join(env["HOME"] ?? homedir(), ".local", "state");
  return join(base, "loopwright");
}
