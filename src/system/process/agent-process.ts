import type { ChildProcess } from "node:child_process";
import type { CommandLine } from "../../core/loop/criterion.ts";
import { createCappedOutput, type CappedOutput, collectOutput, type OutputName } from "./collect-output.ts";
import { endProcessTree, markWithRun } from "./run-processes.ts";
import { endWithUs, startCommand, firstEnding, type Ending } from "./start-command.ts";
import { createLineSplitter } from "../files/lines.ts";
import { startOfProcess } from "./process-facts.ts";
import { hasEndedWhole } from "./subreaper.ts";
import { watchSilence } from "./timers.ts";

export interface AgentProcessOptions {
  readonly command: CommandLine;
  readonly cwd: string;
  /** The whole environment. Nothing is withheld: an agent needs its keys. */
  readonly env: NodeJS.ProcessEnv;
  /** Written to the agent's standard input, which is then closed; the agent need not read it. */
  readonly stdin: string;
  /**
   * When this agent ends, everything that carries this id is ended. Concurrent agents have their own ids; a shared id belongs in
   * `env`, marked with `markWithRun`.
   */
  readonly runId: string;
  /** Each line of standard output of up to 8 MB, in order. If it throws, the agent is ended and the error passed on. */
  readonly onLine: (line: string) => void;
  /** How long both streams may be silent; null: no limit. */
  readonly silenceLimitMs: number | null;
  readonly signal?: AbortSignal;
  /** Called with the agent's group as long as it may exist; a guardian's `guard`. */
  readonly guard?: (groupLeader: number) => () => void;
}

export type AgentProcessEnding = Ending | { readonly type: "silent"; readonly limitMs: number };

export interface AgentProcessOutcome {
  readonly ending: AgentProcessEnding;
  readonly stderr: CappedOutput;
}

const LONGEST_LINE_BYTES = 8 * 1024 * 1024;
/** Agents report errors at the beginning, at the end, or in the middle of a log. */
const STDERR_BYTES = 64 * 1024;

/** Runs an agent for one turn. When this resolves, nothing it started is still running. */
export async function runAgentProcess(options: AgentProcessOptions): Promise<AgentProcessOutcome> {
  const stderr = createCappedOutput(STDERR_BYTES);
  const lines = createLineSplitter(LONGEST_LINE_BYTES, options.onLine);

  const ending = await run(options, (chunk, from) =>
    from === "stderr" ? stderr.append(chunk) : lines.push(chunk),
  );
  lines.end();

  return { ending, stderr };
}

async function run(
  options: AgentProcessOptions,
  take: (chunk: Buffer, from: OutputName) => void,
): Promise<AgentProcessEnding> {
  if (options.signal?.aborted) return { type: "aborted" };
  const child = startCommand(options.command, {
    cwd: options.cwd,
    env: markWithRun(options.env, options.runId),
    stdio: ["pipe", "pipe", "pipe"],
    endsWhole: true,
  });
  if ("message" in child) return { type: "not-started", message: child.message };
  const ended = firstEnding(child, { timeoutMs: null, signal: options.signal });
  if (child.pid === undefined) return ended;

  const root = { pid: child.pid, startedAt: startOfProcess(child.pid) };
  const release = [endWithUs(root.pid), options.guard?.(root.pid)];
  const failures: unknown[] = [];
  let stopWith: (ending: AgentProcessEnding) => void = () => {};
  const stopped = new Promise<AgentProcessEnding>((resolve) => (stopWith = resolve));
  const limitMs = options.silenceLimitMs;
  const silence =
    limitMs === null ? null : watchSilence(limitMs, () => stopWith({ type: "silent", limitMs }));
  const collection = collectOutput(child, (chunk, from) => {
    if (failures.length > 0) return;
    try {
      take(chunk, from);
    } catch (error) {
      failures.push(error);
      stopWith({ type: "aborted" });
    }
    silence?.heard();
  });
  give(child, options.stdin);

  const ending = await Promise.race([ended, stopped]);
  silence?.stop();
  if (ending.type === "exited" || ending.type === "signalled") await collection.settled();
  const isWhole = ending.type === "exited" && (await hasEndedWhole(child));
  if (!isWhole) await endProcessTree({ roots: [root], runId: options.runId, since: root.startedAt });
  await collection.settled();
  collection.stop();
  for (const each of release) each?.();
  if (failures.length > 0) throw failures[0];
  return ending;
}

function give(child: ChildProcess, text: string): void {
  child.stdin?.on("error", () => {}); // It was not read, which is the agent's own affair.
  child.stdin?.end(text);
}
