import { Readable, Writable } from "node:stream";
import { parseArgs } from "node:util";
import { playTurn } from "../../src/agents/rehearsal/play-turn.ts";
import { readScript } from "../../src/agents/rehearsal/script.ts";
import type { Act } from "../../src/agents/rehearsal/script.ts";
import { createLineSplitter } from "../../src/system/files/lines.ts";
import { createCappedOutput } from "../../src/system/process/collect-output.ts";
import type { AgentProcessOptions, AgentProcessOutcome } from "../../src/system/process/agent-process.ts";
import { runAgentProcess as runProcess } from "../../src/system/process/agent-process.ts";

/**
 * Stands in for `agent-process.ts` where tests run `loop` in a process that stays. A rehearsal of nothing but words and files
 * is played there, too, without a process for each turn; whatever runs commands, waits or hangs is a process, which can be ended.
 */
export async function runAgentProcess(options: AgentProcessOptions): Promise<AgentProcessOutcome> {
  const play = playIn(options);
  if (play === null || options.signal?.aborted) return runProcess(options);
  const lines = createLineSplitter(LONGEST_LINE_BYTES, options.onLine);
  const code = await playTurn({
    ...play,
    cwd: options.cwd,
    env: options.env,
    stdin: Readable.from([options.stdin]),
    stdout: new Writable({
      write(chunk: Buffer, _encoding, done) {
        // An agent that is ended says no more.
        if (options.signal?.aborted) return done(new Error("ended"));
        lines.push(chunk);
        done();
      },
    }),
  }).catch((error: unknown) => {
    if (options.signal?.aborted) return null;
    throw error;
  });
  lines.end();
  return {
    ending: code === null ? { type: "aborted" } : { type: "exited", code },
    stderr: createCappedOutput(0),
  };
}

const LONGEST_LINE_BYTES = 8 * 1024 * 1024;

interface Play {
  readonly script: string;
  readonly position: string;
  readonly conversation: string | null;
}

function playIn({ command }: AgentProcessOptions): Play | null {
  if (command.kind !== "argv" || command.argv[2] !== "rehearse") return null;
  const { values } = parseArgs({
    args: command.argv.slice(3),
    options: { script: { type: "string" }, position: { type: "string" }, conversation: { type: "string" } },
  });
  const { script = "", position = "", conversation = null } = values;
  const found = readScript(script);
  const isPlain = found.type === "script" && found.script.turns.every((turn) => turn.do.every(isPlainAct));
  return isPlain ? { script, position, conversation } : null;
}

function isPlainAct(act: Act): boolean {
  return ["write", "edit", "delete", "say"].some((name) => name in act);
}
