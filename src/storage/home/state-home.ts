import { userInfo } from "node:os";
import { isAbsolute, join, resolve } from "node:path";
import { UnusablePath } from "../../system/files/path-errors.ts";
import type { SessionId } from "../../core/loop/id.ts";

const SET_HOME = "set HOME or XDG_STATE_HOME to an absolute path where you may write.";

/**
 * The folder for what this machine knows and no project may decide: trust, locks, which session has which loop. Relative paths
 * are ignored, so it never depends on the current folder. Throws if it cannot be determined, or is in a place where Node would try forever to make a folder.
 */
export function stateHome(env: NodeJS.ProcessEnv, registered = registeredHome): string {
  const base = wholePath(env["XDG_STATE_HOME"]) ?? join(homeFolder(env, registered), ".local", "state");
  if (base.includes("/proc") && `${resolve(base)}/`.startsWith("/proc/"))
    throw new UnusablePath(`No folder can be made in ${base}; ${SET_HOME}`);
  return join(base, "loopwright");
}

/** null where nothing tells. */
export function userHome(env: NodeJS.ProcessEnv, registered = registeredHome): string | null {
  return wholePath(env["HOME"]) ?? wholePath(registered());
}

function homeFolder(env: NodeJS.ProcessEnv, registered: typeof registeredHome): string {
  const home = userHome(env, registered);
  if (home === null) throw new UnusablePath(`Cannot find your home folder; ${SET_HOME}`);
  return home;
}

/** From the machine's user database. */
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

/**
 * The files kept for a host's session. Separate from the code that reads them, because most hooks of most sessions only need to
 * see that a file doesn't exist.
 */
type SessionFile =
  /** Which loop the session has. */
  | "loop"
  /** When it started, and where its transcript is. */
  | "start"
  /** Its agent's tool events since the last stop. */
  | "activity"
  /** What its user typed, and the agent may therefore do once. */
  | "permit"
  /** What ran in the background at the last stop. */
  | "background"
  /** What its user has yet to be shown. */
  | "news"
  /** How its last prompt was held. */
  | "held"
  /** What its user was last told about a loop that doesn't hold it. */
  | "told";

export function sessionPath(home: string, session: SessionId, file: SessionFile): string {
  return join(home, "sessions", `${session}.${file}.json`);
}
