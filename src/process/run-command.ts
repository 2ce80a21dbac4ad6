import type { CommandLine } from "../core/criterion.ts";
import { randomUUID } from "node:crypto";
import { spawn, type ChildProcess, type SpawnOptions } from "node:child_process";
import { statSync } from "node:fs";
import { createCappedOutput, type CappedOutput } from "./capped-output.ts";
import { collectOutput } from "./collect-output.ts";
import { endProcessTree } from "./end-process-tree.ts";
import { endWithUs } from "./end-with-us.ts";
import { renderOutput } from "./render-output.ts";
import { withholdSecrets, type CommandEnvironment } from "./withheld-environment.ts";

export type Ending =
  | { readonly type: "exited"; readonly code: number }
  | { readonly type: "signalled"; readonly signal: string }
  | { readonly type: "timed-out"; readonly limitMs: number }
  | { readonly type: "not-started"; readonly message: string }
  | { readonly type: "aborted" };

export interface CommandOutcome {
  readonly ending: Ending;
  /** What was written to stdout and stderr, in the order in which it came; of too much, the beginning and the end. */
  readonly output: string;
  readonly outputBytes: number;
  readonly durationMs: number;
  /** Names of the variables that the command did not get to see. */
  readonly withheld: readonly string[];
}

export interface CommandOptions {
  readonly command: CommandLine;
  readonly cwd: string;
  readonly timeoutMs: number;
  readonly env: NodeJS.ProcessEnv;
  /** Variables to pass although their names look like secrets. */
  readonly passEnv: readonly string[];
  readonly outputLimitBytes?: number;
  readonly signal?: AbortSignal;
}

const OUTPUT_LIMIT_BYTES = 256 * 1024;
const LONGEST_TIMER_MS = 2 ** 31 - 1;

/** Runs a command to its end; when this resolves, nothing that it started is still running. */
export async function runCommand(options: CommandOptions): Promise<CommandOutcome> {
  const environment = withholdSecrets(options.env, options.passEnv);
  const output = createCappedOutput(options.outputLimitBytes ?? OUTPUT_LIMIT_BYTES);
  const startedAt = performance.now();
  const ending = await run(options, environment, output);
  return {
    ending,
    output: renderOutput(output, environment.secrets),
    outputBytes: output.totalBytes,
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
  const outerRuns = environment.env["LOOP_RUN_ID"];
  const child = start(options, {
    ...environment.env,
    LOOP_DISABLE: "1",
    // A run inside a run is found by both ids.
    LOOP_RUN_ID: outerRuns ? `${outerRuns} ${runId}` : runId,
  });
  if ("message" in child) return { type: "not-started", message: child.message };

  const collection = collectOutput(child, output);
  const ended = firstEnding(child, options);
  if (child.pid === undefined) return ended;

  const release = endWithUs(child.pid);
  const ending = await ended;
  if (ending.type === "exited" || ending.type === "signalled") await collection.settled();
  await endProcessTree({ rootPid: child.pid, runId });
  await collection.settled();
  collection.stop();
  release();
  return ending;
}

function start(options: CommandOptions, env: NodeJS.ProcessEnv): ChildProcess | { message: string } {
  if (!isFolder(options.cwd)) return { message: `the folder ${options.cwd} does not exist` };
  const settings: SpawnOptions = {
    cwd: options.cwd,
    env,
    stdio: ["ignore", "pipe", "pipe"],
    detached: process.platform !== "win32",
    windowsHide: true,
  };
  try {
    const { command } = options;
    if (command.kind === "argv") return spawn(command.argv[0], command.argv.slice(1), settings);
    if (process.platform === "win32") {
      const args = ["/d", "/s", "/c", `"${command.line}"`];
      return spawn("cmd", args, { ...settings, windowsVerbatimArguments: true });
    }
    // One pipe for both streams: two would lose the order between them.
    return spawn("/bin/sh", ["-c", 'exec /bin/sh -c "$1" 2>&1', "sh", command.line], settings);
  } catch (error) {
    return { message: error instanceof Error ? error.message : String(error) };
  }
}

/** Every way in which a command can end, in one race. */
function firstEnding(child: ChildProcess, options: CommandOptions): Promise<Ending> {
  return new Promise<Ending>((resolve) => {
    const limitMs = options.timeoutMs;
    const timer = setTimeout(
      () => settle({ type: "timed-out", limitMs }),
      Math.min(limitMs, LONGEST_TIMER_MS),
    );
    const onAbort = (): void => settle({ type: "aborted" });
    function settle(ending: Ending): void {
      clearTimeout(timer);
      options.signal?.removeEventListener("abort", onAbort);
      resolve(ending);
    }
    options.signal?.addEventListener("abort", onAbort);
    child.once("error", (error) => settle({ type: "not-started", message: error.message }));
    child.once("exit", (code, signal) =>
      settle(signal === null ? { type: "exited", code: code ?? 1 } : { type: "signalled", signal }),
    );
  });
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
}
