import { realpathSync, writeSync } from "node:fs";
import { dirname, join } from "node:path";
import { answerHook } from "../../engine/stop/answer-hook.ts";
import { createMachine } from "../../storage/loops/machine.ts";
import type { Host } from "../../agents/hosts/host.ts";
import { recogniseHost } from "../../agents/hosts/hosts.ts";
import type { Payload } from "../../agents/hosts/payload.ts";
import { parsePayload } from "../../agents/hosts/payload.ts";
import type { HookAnswer, Reply } from "../../agents/hosts/reply.ts";
import { renderReply } from "../../agents/hosts/reply.ts";
import type { Call } from "./call.ts";

const ENDED_BY_HOST: Reply = {
  type: "message",
  text: "[LOOP] Not held: the host ended the hook before the checks were done.",
};

/** The host ran out of patience. Exiting ends the running checks; a signal's default would leave them behind. */
function letGoOnSignal({ event, reply }: Call, host: Host): void {
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) {
    process.once(signal, () => {
      const form = event === "stop" ? reply : "decision";
      try {
        writeSync(1, renderReply(ENDED_BY_HOST, host, form).stdout);
      } finally {
        process.exit(0);
      }
    });
  }
}

/** Less than the 600 s that hosts give a stop hook, with time for the rest of the work. */
const PATIENCE_MS = 540_000;

function patienceMs(env: NodeJS.ProcessEnv): number {
  const asked = Number(env["LOOP_HOOK_PATIENCE_MS"]);
  return Number.isFinite(asked) && asked > 0 ? Math.min(asked, PATIENCE_MS) : PATIENCE_MS;
}

/** Everything a hook needs if it may concern a loop. */
export async function answer(call: Call, input: string): Promise<HookAnswer> {
  letGoOnSignal(call, recogniseHost(payloadIn(input), call.host));
  const cli = join(dirname(realpathSync(process.argv[1] ?? "")), "cli.js");
  return answerIn({ env: process.env, cwd: currentFolder(), cli }, call, input);
}

/** The payload usually names another folder, and a deleted folder isn't a project. */
function currentFolder(): string {
  try {
    return process.cwd();
  } catch {
    return "/";
  }
}

/** The same with a given environment. */
export async function answerIn(
  { env, cwd, cli }: { readonly env: NodeJS.ProcessEnv; readonly cwd: string; readonly cli: string },
  call: Call,
  input: string,
): Promise<HookAnswer> {
  const patience = { ms: patienceMs(env), cli };
  return answerHook(createMachine(env, cwd), { ...call, patience }, input);
}

/** The answer reports input that isn't a payload. */
function payloadIn(input: string): Payload {
  try {
    return parsePayload(input);
  } catch {
    return {};
  }
}
