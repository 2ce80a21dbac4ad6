import { isDisabled } from "../../agents/hosts/disabled.ts";
import type { HookAnswer } from "../../agents/hosts/reply.ts";
import { stateHome } from "../../storage/home/state-home.ts";
import type { Call } from "./call.ts";
import { readCall } from "./call.ts";
import { mayHaveLoop } from "./may-have-loop.ts";

type Answer = (call: Call, input: string) => Promise<HookAnswer>;

/** What the process gives to a call of the hook. */
export interface HookSurroundings {
  readonly env: NodeJS.ProcessEnv;
  readonly readInput: () => string;
  /** Takes time, so it loads only for a call that may concern a loop. */
  readonly loadEngine: (call: Call) => { readonly answer: Answer };
}

/** Answers one call of the hook. Any error lets the agent go. */
export async function answerCall(
  words: readonly string[],
  { env, readInput, loadEngine }: HookSurroundings,
): Promise<HookAnswer> {
  const call = readCall(words);
  if (isDisabled(env)) return saying(letGo(call));
  try {
    const input = readInput();
    if (!mayHaveLoop(call, input, stateHome(env), env)) return saying("");
    return await loadEngine(call).answer(call, input);
  } catch (error) {
    const what = error instanceof Error ? error.message : String(error);
    return saying(letGo(call) || JSON.stringify({ systemMessage: `[LOOP] Not held: ${what.slice(0, 300)}` }));
  }
}

/** How to let a stop go silently. */
function letGo({ event, reply }: Call): string {
  return event === "stop" && reply === "ok" ? '{"ok":true}' : "";
}

function saying(stdout: string): HookAnswer {
  return { stdout, stderr: "", exitCode: 0 };
}
