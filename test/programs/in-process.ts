import { spawnSync } from "node:child_process";
import { resolve } from "node:path";
import { execute } from "../../src/programs/cli/execute.ts";
import { createTerminal } from "../../src/views/terminal/terminal.ts";
import { answerCall } from "../../src/programs/hook/answer-call.ts";
import { recognise } from "../../src/agents/hosts/hosts.ts";
import { answerIn } from "../../src/programs/hook/engine.ts";
import type { Call, Outcome } from "../support/in-process.ts";

/** `loop` and its hook, in a process that stays: as the programs are, but for the start of a process. */
const cli = resolve("dist/cli.js");

const RUNS = { loop: runLoop, hook: runHook, git: runGit };

process.on("message", (call: Call) => void answer(call));
process.on("disconnect", () => process.exit());

async function answer(call: Call): Promise<void> {
  // What reads it further down sees the call's own.
  process.env = { ...call.env };
  process.send?.(await RUNS[call.program](call).catch(thrown));
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

async function runGit({ words, env, cwd, input }: Call): Promise<Outcome> {
  const { status, stdout, stderr } = spawnSync("git", words, { cwd, env, input, encoding: "utf8" });
  return { code: status, out: stdout, err: stderr };
}
