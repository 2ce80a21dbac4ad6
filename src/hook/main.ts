import { readFileSync } from "node:fs";
import { compileFunction } from "node:vm";
import { answerCall } from "./answer-call.ts";
import type * as EngineModule from "./engine.ts";

/**
 * The text of `engine.ts` and all it needs, put here by the build. As text it costs nothing until it is
 * compiled, and most hooks of most sessions have no loop and need none of it.
 */
declare const ENGINE_SOURCE: string;

type Engine = typeof EngineModule;

async function main(): Promise<void> {
  const { stdout, stderr, exitCode } = await answerCall(process.argv.slice(2), {
    env: process.env,
    readInput: () => readFileSync(0, "utf8"),
    loadEngine,
  });
  // Merely touching a stream costs milliseconds, so silence leaves it alone.
  if (stderr !== "") process.stderr.write(stderr);
  if (stdout !== "") process.stdout.write(stdout);
  process.exitCode = exitCode;
}

function loadEngine(): Engine {
  const module = { exports: {} };
  const run = compileFunction(ENGINE_SOURCE, ["module", "exports", "require"], {
    filename: `${__filename}#engine`,
  });
  run(module, module.exports, require);
  return module.exports as Engine;
}

void main();
