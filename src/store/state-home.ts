import { userInfo } from "node:os";
import { isAbsolute, join } from "node:path";
import { UnusablePath } from "../files/unusable-path.ts";

/**
 * The folder for what this machine knows and no project may say: trust, locks, which session has which loop. It is never looked for in the
 * folder that somebody happens to be in, so a path that is not whole counts for nothing. Throws where nothing tells.
 */
export function stateHome(env: NodeJS.ProcessEnv, registered = registeredHome): string {
  const base = wholePath(env["XDG_STATE_HOME"]) ?? join(homeFolder(env, registered), ".local", "state");
  return join(base, "loopwright");
}

/** null where nothing tells. */
export function userHome(env: NodeJS.ProcessEnv, registered = registeredHome): string | null {
  return wholePath(env["HOME"]) ?? wholePath(registered());
}

function homeFolder(env: NodeJS.ProcessEnv, registered: typeof registeredHome): string {
  const home = userHome(env, registered);
  if (home === null)
    throw new UnusablePath(
      "Nothing says where your home folder is; set HOME or XDG_STATE_HOME to a whole path.",
    );
  return home;
}

/** As the machine's list of users has it. */
function registeredHome(): string | undefined {
  try {
    return userInfo().homedir;
  } catch {
    return undefined;
  }
}

function wholePath(path: string | undefined): string | null {
  return path !== undefined && isAbsolute(path) ? path : null;
}
