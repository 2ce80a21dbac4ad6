import { randomUUID } from "node:crypto";
import { collectOutput, createCappedOutput } from "../../system/process/collect-output.ts";
import { startOfProcess } from "../../system/process/process-facts.ts";
import { endProcessTree, markWithRun } from "../../system/process/run-processes.ts";
import { endWithUs, firstEnding, startCommand } from "../../system/process/start-command.ts";
import { redactor, renderOutput } from "../../system/secrets/redact.ts";

export interface LoopCall {
  /** The file of the program `loop`. */
  readonly cli: string;
  readonly words: readonly string[];
  readonly cwd: string;
  readonly env: NodeJS.ProcessEnv;
  readonly signal: AbortSignal;
}

/** What a command of `loop` printed; null: it was ended. */
export interface LoopAnswer {
  readonly text: string;
  readonly isError: boolean;
}

const OUTPUT_BYTES = 64 * 1024;

/**
 * Runs a command of `loop` as a process of its own, so that it can be ended, and so that every rule of the command line applies. The
 * mark makes its caller an agent, whoever started us. What the command leaves to run in the background stays.
 */
export async function runLoop({ cli, words, cwd, env, signal }: LoopCall): Promise<LoopAnswer | null> {
  const redact = redactor(env);
  // Not the name of a session: it says only that no person is calling.
  const runId = `+mcp.${randomUUID()}`;
  const child = startCommand(
    { kind: "argv", argv: [process.execPath, cli, ...words] },
    { cwd, env: markWithRun(env, runId), stdio: ["ignore", "pipe", "pipe"] },
  );
  if ("message" in child) return { text: child.message, isError: true };
  const output = { stdout: createCappedOutput(OUTPUT_BYTES), stderr: createCappedOutput(OUTPUT_BYTES) };
  const collection = collectOutput(child, (chunk, from) => output[from].append(chunk));
  const ended = firstEnding(child, { timeoutMs: null, signal });
  const { pid } = child;
  const release = pid === undefined ? undefined : endWithUs(pid);
  const root = pid === undefined ? [] : [{ pid, startedAt: startOfProcess(pid) }];
  const ending = await ended;
  release?.();
  if (ending.type === "aborted") {
    await endProcessTree({ roots: root, runId });
    collection.stop();
    return null;
  }
  await collection.settled();
  collection.stop();
  const stdout = renderOutput(output.stdout, redact).trim();
  const stderr = renderOutput(output.stderr, redact).trim();
  const code = ending.type === "exited" ? ending.code : 1;
  return {
    text: [stdout, stderr].filter((text) => text !== "").join("\n") || (code === 0 ? "Done." : "It failed."),
    // A failed check is what was asked for; an error has nothing else to say.
    isError: code !== 0 && stdout === "",
  };
}
