import { readFileSync, writeSync } from "node:fs";
import type { HookWords } from "../../agents/hosts/hook-call.ts";
import { loadPart } from "../start/start.ts";
import type { HookAnswer } from "../../agents/hosts/reply.ts";
import { answerCall } from "./answer-call.ts";
import type * as EngineModule from "./engine.ts";
import type * as ToolUseModule from "./tool-use.ts";

type Engine = typeof EngineModule | typeof ToolUseModule;

function main(): void {
  const answer = answerCall(process.argv.slice(2), {
    env: process.env,
    readInput: () => takeHead() + readFileSync(0, "utf8"),
    loadEngine,
  });
  if (answer instanceof Promise) void answer.then(end);
  else end(answer);
}

function end({ stdout, stderr, exitCode, delivered }: HookAnswer): void {
  process.exitCode = exitCode;
  if (stderr !== "") process.stderr.on("error", failWith).write(stderr);
  const isOut = print(stdout, delivered ?? (() => {}));
  // Whoever waits for us need not wait for Node to tidy up.
  if (isOut && stderr === "") process.exit();
}

/** What `hook.sh` has read of the input before it became this process; a shell can't put it back. It is not for those we start. */
function takeHead(): string {
  const [pid, ...rest] = (process.env["LOOP_HOOK_HEAD"] ?? "").split(":");
  delete process.env["LOOP_HOOK_HEAD"];
  return pid === String(process.pid) ? rest.join(":") : "";
}

/** Writes directly, since the stream takes milliseconds to set up. The stream is only for a slow reader; then it isn't out yet. */
function print(text: string, delivered: () => void): boolean {
  if (text === "") {
    delivered();
    return true;
  }
  let rest = Buffer.from(text);
  try {
    while (rest.length > 0) rest = rest.subarray(writeSync(1, rest));
  } catch {
    process.stdout.on("error", failWith).write(rest, (error) => {
      if (!error) delivered();
    });
    return false;
  }
  delivered();
  return true;
}

/** An answer that doesn't arrive lets the agent go, whatever it said. */
function failWith({ code }: NodeJS.ErrnoException): void {
  try {
    writeSync(2, `[LOOP] Not held: cannot write the answer (${code ?? "unknown"}).\n`);
  } catch {
    // there is nobody left to tell
  }
  process.exit(1);
}

/** Most hook calls have no loop and need none of this. */
function loadEngine({ event }: HookWords): Engine {
  if (event.startsWith("post-tool-use")) return loadPart("./tool-use.js", { keeps: true }) as Engine;
  return loadPart("./engine.js", { keeps: event === "stop" }) as Engine;
}

main();
