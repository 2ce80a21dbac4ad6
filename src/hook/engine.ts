import { realpathSync, writeSync } from "node:fs";
import { dirname, join } from "node:path";
import { answerHook } from "../app/answer-hook.ts";
import type { Patience } from "../app/background-checks.ts";
import { createMachine } from "../loops/machine.ts";
import type { HookAnswer, ReplyForm } from "../hosts/reply.ts";
import { renderMessage } from "../hosts/reply.ts";

/** The host has lost its patience. Exiting ends the checks that are running; a signal's default would leave them behind. */
function letGoOnSignal(event: string, reply: ReplyForm): void {
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) {
    process.once(signal, () => {
      const form = event === "stop" ? reply : "decision";
      writeSync(
        1,
        renderMessage("[LOOP] Not held: the host ended the hook before the checks were done.", form).stdout,
      );
      process.exit(0);
    });
  }
}

/** Below the 600 s that hosts give a stop hook, with room for the rest of the work. */
const PATIENCE_MS = 540_000;

function patience(env: NodeJS.ProcessEnv): Patience {
  const asked = Number(env["LOOP_HOOK_PATIENCE_MS"]);
  return {
    ms: Number.isFinite(asked) && asked > 0 ? Math.min(asked, PATIENCE_MS) : PATIENCE_MS,
    cli: join(dirname(realpathSync(process.argv[1] ?? "")), "cli.js"),
  };
}

/** Everything behind a hook that may concern a loop. */
export async function answer(event: string, reply: ReplyForm, input: string): Promise<HookAnswer> {
  letGoOnSignal(event, reply);
  const machine = createMachine(process.env, process.cwd());
  return answerHook(machine, { event, reply, patience: patience(process.env) }, input);
}
