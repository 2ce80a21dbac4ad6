import { realpathSync, writeSync } from "node:fs";
import { dirname, join } from "node:path";
import { formOf, type HookCall } from "../../agents/hosts/hook-call.ts";
import { recognise, type RecognisedCall } from "../../agents/hosts/hosts.ts";
import { renderReply, type HookAnswer, type Reply } from "../../agents/hosts/reply.ts";
import { answerHook } from "../../engine/stop/answer-hook.ts";
import { createMachine } from "../../storage/loops/machine.ts";

/** Everything a hook needs if it may concern a loop. */
export async function answer(call: HookCall): Promise<HookAnswer> {
  const recognised = recognise(call);
  letGoOnSignal(recognised);
  const cli = join(dirname(realpathSync(process.argv[1] ?? "")), "cli.js");
  return answerIn({ env: process.env, cwd: currentFolder(), cli }, recognised);
}

/** Answers a hook in a given environment. */
export async function answerIn(
  { env, cwd, cli }: { readonly env: NodeJS.ProcessEnv; readonly cwd: string; readonly cli: string },
  call: RecognisedCall,
): Promise<HookAnswer> {
  return answerHook(createMachine(env, cwd), call, { ms: hookTimeoutMs(env), cli });
}

const ENDED_BY_HOST: Reply = {
  type: "message",
  text: "[LOOP] Not held: the host ended the hook before the checks were done.",
};

/** The host ran out of timeout. Exiting ends the running checks; a signal's default would leave them behind. */
function letGoOnSignal(call: RecognisedCall): void {
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) {
    process.once(signal, () => {
      try {
        writeSync(1, renderReply(ENDED_BY_HOST, call.by, formOf(call)).stdout);
      } finally {
        process.exit(0);
      }
    });
  }
}

/** Less than the 600 s that hosts give a stop hook, with time for the rest of the work. */
const HOOK_TIMEOUT_MS = 540_000;

function hookTimeoutMs(env: NodeJS.ProcessEnv): number {
  const asked = Number(env["LOOP_HOOK_PATIENCE_MS"]);
  return Number.isFinite(asked) && asked > 0 ? Math.min(asked, HOOK_TIMEOUT_MS) : HOOK_TIMEOUT_MS;
}

/** The payload usually names another folder, and a deleted folder isn't a project. */
function currentFolder(): string {
  try {
    return process.cwd();
  } catch {
    return "/";
  }
}
