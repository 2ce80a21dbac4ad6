import { readFileSync, writeSync } from "node:fs";
import { isDisabled } from "../hosts/disabled.ts";
import { loadPart } from "../start/start.ts";
import { stateHome } from "../store/state-home.ts";
import type { Call } from "./call.ts";
import { readCall } from "./call.ts";
import { mayHaveLoop } from "./may-have-loop.ts";
import type * as EngineModule from "./engine.ts";

type Engine = typeof EngineModule;

async function main(): Promise<void> {
  const { env } = process;
  const call = readCall(process.argv.slice(2));
  if (isDisabled(env)) {
    print(letGo(call));
    return;
  }
  const input = readFileSync(0, "utf8");
  if (!mayHaveLoop(call, input, stateHome(env), env)) return;
  const { stdout, stderr, exitCode } = await loadEngine(call).answer(call.event, call.reply, input);
  if (stderr !== "") process.stderr.write(stderr);
  print(stdout);
  process.exitCode = exitCode;
}

/** Past the stream, which takes milliseconds to set up. It is there for a reader that is too slow. */
function print(text: string): void {
  let rest = Buffer.from(text);
  try {
    while (rest.length > 0) rest = rest.subarray(writeSync(1, rest));
  } catch {
    process.stdout.write(rest);
  }
}

/** How a stop is let go without another word. */
function letGo({ event, reply }: Call): string {
  return event === "stop" && reply === "ok" ? '{"ok":true}' : "";
}

/** Most hooks of most sessions have no loop and need none of it. */
function loadEngine({ event }: Call): Engine {
  return loadPart("./engine.js", { keeps: event === "stop" }) as Engine;
}

main().catch((error: unknown) => {
  const what = error instanceof Error ? error.message : String(error);
  const call = readCall(process.argv.slice(2));
  print(letGo(call) || JSON.stringify({ systemMessage: `[LOOP] Not held: ${what.slice(0, 300)}` }));
});
