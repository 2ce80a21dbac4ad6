import { readFileSync } from "node:fs";
import { compileFunction } from "node:vm";
import { isDisabled } from "../hosts/disabled.ts";
import { stateHome } from "../store/state-home.ts";
import type { Call } from "./call.ts";
import { readCall } from "./call.ts";
import { mayHaveLoop } from "./may-have-loop.ts";
import type * as EngineModule from "./engine.ts";

/**
 * The text of `engine.ts` and all it needs, put here by the build. As text it costs nothing until it is
 * compiled, and most hooks of most sessions have no loop and need none of it.
 */
declare const ENGINE_SOURCE: string;

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
  const { stdout, stderr, exitCode } = await loadEngine().answer(call.event, call.reply, input);
  if (stderr !== "") process.stderr.write(stderr);
  print(stdout);
  process.exitCode = exitCode;
}

/** Merely touching the stream costs milliseconds, so silence leaves it alone. */
function print(text: string): void {
  if (text !== "") process.stdout.write(text);
}

/** How a stop is let go without another word. */
function letGo({ event, reply }: Call): string {
  return event === "stop" && reply === "ok" ? '{"ok":true}' : "";
}

function loadEngine(): Engine {
  const module = { exports: {} };
  const run = compileFunction(ENGINE_SOURCE, ["module", "exports", "require"], {
    filename: `${__filename}#engine`,
  });
  run(module, module.exports, require);
  return module.exports as Engine;
}

main().catch((error: unknown) => {
  const what = error instanceof Error ? error.message : String(error);
  const call = readCall(process.argv.slice(2));
  print(letGo(call) || JSON.stringify({ systemMessage: `[LOOP] Not held: ${what.slice(0, 300)}` }));
});
