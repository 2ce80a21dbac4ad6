import type { CommandLine } from "../../core/loop/criterion.ts";
import { randomUUID } from "node:crypto";
import { createCappedOutput, type CappedOutput, collectOutput } from "./collect-output.ts";
import { endProcessTree, markWithRun } from "./run-processes.ts";
import { endWithUs, startCommand, firstEnding, type Ending } from "./start-command.ts";
import { startOfProcess } from "./process-facts.ts";
import { hasEndedWhole } from "./subreaper.ts";
import { redactorOf, renderOutput } from "../secrets/redact.ts";
import { withholdSecrets, type CommandEnvironment } from "../secrets/recognize.ts";

export type { Ending };

export interface CommandOutcome {
  readonly ending: Ending;
  /** The output of stdout and stderr in order; if there is too much, its beginning and end. */
  readonly output: string;
  readonly durationMs: number;
  /** Names of the variables withheld from the command. */
  readonly withheld: readonly string[];
}

export interface CommandOptions {
  readonly command: CommandLine;
  readonly cwd: string;
  readonly timeoutMs: number;
  readonly env: NodeJS.ProcessEnv;
  /** Variables to pass although their names look like secrets. */
  readonly passEnv: readonly string[];
  readonly signal?: AbortSignal;
  /** In a room: whether nothing runs there any more. */
  readonly isOver?: () => boolean;
  /** Both streams through one pipe, because two would lose their order; by default those of a shell. */
  readonly hasOneStream?: boolean;
}

const OUTPUT_LIMIT_BYTES = 256 * 1024;

/** Runs a command to its end. When this resolves, nothing it started is still running. */
export async function runCommand(options: CommandOptions): Promise<CommandOutcome> {
  const environment = withholdSecrets(options.env, options.passEnv);
  const output = createCappedOutput(OUTPUT_LIMIT_BYTES);
  const startedAt = performance.now();
  const ending = await run(options, environment, output);
  return {
    ending,
    output: renderOutput(output, redactorOf(environment.secrets)),
    durationMs: Math.round(performance.now() - startedAt),
    withheld: environment.withheld,
  };
}

async function run(
  options: CommandOptions,
  environment: CommandEnvironment,
  output: CappedOutput,
): Promise<Ending> {
  if (options.signal?.aborted) return { type: "aborted" };
  const runId = randomUUID();
  const child = startCommand(options.command, {
    cwd: options.cwd,
    env: markWithRun({ ...environment.env, LOOP_DISABLE: "1" }, runId),
    stdio: ["ignore", "pipe", "pipe"],
    endsWhole: true,
    hasOneStream: options.hasOneStream ?? options.command.kind === "shell",
  });
  if ("message" in child) return { type: "not-started", message: child.message };
  const ended = firstEnding(child, { timeoutMs: options.timeoutMs, signal: options.signal });
  if (child.pid === undefined) return ended;

  const root = { pid: child.pid, startedAt: startOfProcess(child.pid) };
  const collection = collectOutput(child, (chunk) => output.append(chunk));
  const release = endWithUs(root.pid);
  const ending = await ended;
  if (ending.type === "exited" || ending.type === "signalled") await collection.settled();
  const isWhole = ending.type === "exited" && (options.isOver?.() ?? (await hasEndedWhole(child)));
  if (!isWhole) await endProcessTree({ roots: [root], runId, since: root.startedAt });
  await collection.settled();
  collection.stop();
  release();
  return ending;
}
