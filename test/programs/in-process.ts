import { resolve } from "node:path";
import { parentPort } from "node:worker_threads";
import { execute } from "../../src/programs/cli/execute.ts";
import { createTerminal } from "../../src/views/terminal/terminal.ts";
import { answerCall } from "../../src/programs/hook/answer-call.ts";
import { recognise } from "../../src/agents/hosts/hosts.ts";
import { answerIn } from "../../src/programs/hook/engine.ts";
import type { Asked, Call, Outcome } from "../support/in-process.ts";

/**
 * `loop` and its hook, on a thread of the test's own process: as the programs are, but for the start of a process. What
 * reads `process.env` further down sees the call's own, since a thread has its own.
 */
const cli = resolve("dist/cli.js");

parentPort?.on("message", (asked: Asked) => void answer(asked));

async function answer({ call, answered, port }: Asked): Promise<void> {
  process.env = { ...call.env };
  const run = call.program === "loop" ? runLoop : runHook;
  port.postMessage(await run(call).catch(thrown));
  Atomics.store(answered, 0, 1);
  Atomics.notify(answered, 0);
}

function thrown(error: unknown): Outcome {
  return { code: null, out: "", err: `thrown: ${String(error)}` };
}

async function runLoop({ words, env, cwd, input }: Call): Promise<Outcome> {
  let out = "";
  let err = "";
  const terminal = createTerminal(env, {
    stdin: {},
    stdout: { write: (text) => (out += text) },
    stderr: { write: (text) => (err += text) },
  });
  const code = await execute(words, { env, cwd, cli, terminal, readInput: () => input });
  return { code, out, err };
}

async function runHook({ words, env, cwd, input }: Call): Promise<Outcome> {
  const { exitCode, stdout, stderr, delivered } = await answerCall(words, {
    env,
    readInput: () => input,
    loadEngine: () => ({
      answer: async (call) => answerIn({ env, cwd, cli }, recognise(call)),
    }),
  });
  delivered?.();
  return { code: exitCode, out: stdout, err: stderr };
}
