import type { Machine } from "./machine.ts";
import { decideStop, isDisabled } from "./decide-stop.ts";
import { readStop, renderReply } from "../hosts/claude-code/stop-hook.ts";

export interface HookAnswer {
  readonly stdout: string;
  readonly stderr: string;
}

const SILENCE: HookAnswer = { stdout: "", stderr: "" };

/**
 * Answers a host's hook. Whatever goes wrong on the way lets the agent go: a hold needs a reason,
 * and an error of ours is none.
 */
export async function answerHook(
  machine: Machine,
  event: string,
  readInput: () => string,
): Promise<HookAnswer> {
  if (isDisabled(machine.env) || event.toLowerCase() !== "stop") return SILENCE;
  try {
    const payload = parsePayload(readInput());
    const request = await readStop(payload, machine.env);
    const { verdict, loop } = await decideStop(machine, request);
    return { stdout: renderReply(verdict, loop), stderr: "" };
  } catch (error) {
    const what = error instanceof Error ? error.message : String(error);
    const message = `[LOOP] Not held: ${what.replace(/\s+/g, " ").slice(0, 300)}`;
    return { stdout: JSON.stringify({ systemMessage: message }), stderr: "" };
  }
}

function parsePayload(input: string): { readonly [key: string]: unknown } {
  let payload: unknown;
  try {
    payload = JSON.parse(input);
  } catch {
    throw new Error("the hook's input is not JSON");
  }
  if (typeof payload === "object" && payload !== null) return payload as { [key: string]: unknown };
  throw new Error("the hook's input is not a JSON object");
}
