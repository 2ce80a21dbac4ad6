import type { HookWords } from "../../src/agents/hosts/hook-call.ts";
import { readCall } from "../../src/agents/hosts/hook-call.ts";
import type { RecognisedCall } from "../../src/agents/hosts/hosts.ts";
import { recognise } from "../../src/agents/hosts/hosts.ts";

/** A call of a hook as its front door passes it on. */
export function called(
  words: Omit<HookWords, "host"> & Partial<Pick<HookWords, "host">>,
  input: string,
): RecognisedCall {
  return recognise(readCall({ host: null, ...words }, input));
}
