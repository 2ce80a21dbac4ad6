import type { HookAnswer } from "../app/answer-hook.ts";
import { answerHook } from "../app/answer-hook.ts";
import { createMachine } from "../app/machine.ts";

// Exiting ends the checks that are running; a signal's default would leave them behind.
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.once(signal, () => process.exit(0));

/** Everything behind a stop that may concern a loop. */
export async function answer(event: string, input: string): Promise<HookAnswer> {
  return answerHook(createMachine(process.env, process.cwd()), event, () => input);
}
