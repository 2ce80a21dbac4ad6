import { existsSync, readFileSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import type { HookCall, HookWords } from "../../agents/hosts/hook-call.ts";
import { isDisabled, letGo, readCall, readWords } from "../../agents/hosts/hook-call.ts";
import { answerWith, SILENCE, type HookAnswer } from "../../agents/hosts/reply.ts";
import { parseSessionId, type SessionId } from "../../core/loop/id.ts";
import { sessionPath, stateHome } from "../../storage/home/state-home.ts";
import { findOnPath } from "../../system/files/find-on-path.ts";

/** What the process gives to a call of the hook. */
export interface HookSurroundings {
  readonly env: NodeJS.ProcessEnv;
  readonly readInput: () => string;
  /** Takes time, so it loads only for a call that may concern a loop. */
  readonly loadEngine: (words: HookWords) => { readonly answer: (call: HookCall) => Promise<HookAnswer> };
}

/** The hook's front door: reads the call once, for all who answer it. Any error lets the agent go. Most calls are answered at once. */
export function answerCall(
  args: readonly string[],
  { env, readInput, loadEngine }: HookSurroundings,
): HookAnswer | Promise<HookAnswer> {
  const words = readWords(args);
  if (isDisabled(env)) return letGo(words);
  try {
    const input = readInput();
    const call = readCall(words, input);
    if (!mayHaveLoop(call, input, env)) return SILENCE;
    return loadEngine(words)
      .answer(call)
      .catch((error: unknown) => notHeld(words, error));
  } catch (error) {
    return notHeld(words, error);
  }
}

function notHeld(words: HookWords, error: unknown): HookAnswer {
  const what = error instanceof Error ? error.message : String(error);
  const silent = letGo(words);
  return silent === SILENCE
    ? answerWith({ systemMessage: `[LOOP] Not held: ${what.slice(0, 300)}` })
    : silent;
}

/** Whether a hook call can concern a loop. The engine reports what is unclear. */
function mayHaveLoop(call: HookCall, input: string, env: NodeJS.ProcessEnv): boolean {
  const home = stateHome(env);
  if (call.flaw !== null) return true;
  const session = parseSessionId(call.payload["session_id"]);
  if (session !== null && hasEntry(home, session, call)) return true;
  switch (call.event) {
    case "stop":
      return call.reply !== "decision" || hasForeignStore(call.payload["cwd"], env);
    case "session-start":
    case "pre-tool-use":
      return session !== null;
    case "user-prompt-submit":
    case "user-prompt-expansion":
      return session !== null && input.includes("loop:");
    default:
      return false;
  }
}

/** Throws at a stop if this is unknown: then the session is let go, with the reason. */
function hasEntry(home: string, session: SessionId, { event }: HookWords): boolean {
  try {
    return statSync(sessionPath(home, session, "loop"), { throwIfNoEntry: false }) !== undefined;
  } catch (error) {
    if (event === "stop") throw error;
    return false;
  }
}

/** Whether there may be a store of another hook of this kind: then a session without our loop may still have a loop. */
function hasForeignStore(cwd: unknown, env: NodeJS.ProcessEnv): boolean {
  if (findOnPath("jwz", env) !== null) return true;
  if (typeof cwd !== "string") return false;
  for (let folder = cwd; ; folder = dirname(folder)) {
    if (existsSync(join(folder, ".claude", "idle-loop.local.md"))) return true;
    if (isForeign(join(folder, ".loop", "state.json"))) return true;
    if (existsSync(join(folder, ".git")) || dirname(folder) === folder) return false;
  }
}

/** Far more than what we write there. */
const LONGEST_VIEW_BYTES = 256 * 1024;

/** Every project that ever had a loop has our own view of it there, which names the loop. The engine looks at anything else. */
function isForeign(stateFile: string): boolean {
  try {
    const stats = statSync(stateFile, { throwIfNoEntry: false });
    if (stats === undefined) return false;
    if (!stats.isFile() || stats.size > LONGEST_VIEW_BYTES) return true;
    const view = JSON.parse(readFileSync(stateFile, "utf8")) as { loopId?: unknown } | null;
    return view?.loopId === undefined;
  } catch {
    return true;
  }
}
