import type { HookAnswer } from "../app/answer-hook.ts";
import { answerHook } from "../app/answer-hook.ts";
import { createMachine } from "../app/machine.ts";

/** Everything behind a stop that may concern a loop. */
export async function answer(event: string, input: string): Promise<HookAnswer> {
  return answerHook(createMachine(process.env, process.cwd()), event, () => input);
}
