import { readFileSync, writeSync } from "node:fs";
import { loadPart } from "../start/start.ts";
import { answerCall } from "./answer-call.ts";
import type { Call } from "./call.ts";
import type * as EngineModule from "./engine.ts";

type Engine = typeof EngineModule;

async function main(): Promise<void> {
  const { stdout, stderr, exitCode } = await answerCall(process.argv.slice(2), {
    env: process.env,
    readInput: () => readFileSync(0, "utf8"),
    loadEngine,
  });
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

/** Most hooks of most sessions have no loop and need none of it. */
function loadEngine({ event }: Call): Engine {
  return loadPart("./engine.js", { keeps: event === "stop" }) as Engine;
}

void main();
