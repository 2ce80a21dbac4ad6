import { answerHook } from "../app/answer-hook.ts";
import { createMachine } from "../app/machine.ts";
import type { HookAnswer, ReplyForm } from "../hosts/reply.ts";

// Exiting ends the checks that are running; a signal's default would leave them behind.
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.once(signal, () => process.exit(0));

/** Everything behind a hook that may concern a loop. */
export async function answer(event: string, reply: ReplyForm, input: string): Promise<HookAnswer> {
  return answerHook(createMachine(process.env, process.cwd()), { event, reply }, input);
}
