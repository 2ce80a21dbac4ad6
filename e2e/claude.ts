import { spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { setTimeout as sleep } from "node:timers/promises";
import { PATIENCE_MS } from "../test/support/patience.ts";
import { endProcessTree, processesOfRun, readProcessTable } from "../src/system/process/run-processes.ts";
import type { JsonObject } from "./messages-api.ts";
import type { ModelServer } from "./model-server.ts";

export interface ClaudeOptions {
  /** Folder that the client works in. */
  readonly project: string;
  readonly home: string;
  readonly server: ModelServer;
  readonly prompt: string;
  readonly pluginDir?: string;
  /** All is allowed if none is given. */
  readonly permissionMode?: "default" | "acceptEdits" | "plan" | "bypassPermissions";
  /** Settings of this run alone, such as hooks. */
  readonly settings?: JsonObject;
  readonly sessionId?: string;
  /** Goes on with this session instead of a new one. */
  readonly resume?: string;
  /** Further arguments, before the prompt. */
  readonly args?: readonly string[];
  readonly env?: { readonly [name: string]: string };
  /** The whole process tree is ended then. */
  readonly timeLimitMs?: number;
  /** Looked at all the time; when it says so, the client and all that is in its process group are killed. */
  readonly killWhen?: () => boolean;
  /** Called with each message of the stream as it comes; `stop` ends the run as a signal would. */
  readonly onMessage?: (message: StreamMessage, stop: (signal: NodeJS.Signals) => void) => void;
}

export interface StreamMessage {
  readonly type: string;
  readonly subtype?: string;
  readonly session_id?: string;
  readonly [field: string]: unknown;
}

export interface ResultMessage extends StreamMessage {
  readonly type: "result";
  readonly is_error: boolean;
  readonly result?: string;
  readonly num_turns: number;
  readonly total_cost_usd: number;
  readonly terminal_reason?: string;
}

export interface ClaudeRun {
  readonly messages: readonly StreamMessage[];
  /** The last message of type `result`, or null when the client never came to one. */
  readonly result: ResultMessage | null;
  readonly exitCode: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
  readonly timedOut: boolean;
  readonly durationMs: number;
}

const HERE = dirname(fileURLToPath(import.meta.url));
const SETTLE_MS = 2_000;
const LOOK_MS = 20;

/**
 * The client's program. It lies in a package of its own for each platform, so no install script is needed. `E2E_CLAUDE_CODE` names a
 * folder with another version: its `node_modules`.
 */
export function claudeProgram(): string {
  const packages = join(process.env["E2E_CLAUDE_CODE"] ?? join(HERE, "node_modules"), "@anthropic-ai");
  const names = ["", "-musl"].map((libc) => `claude-code-${process.platform}-${process.arch}${libc}`);
  const program = names
    .map((name) => join(packages, name, process.platform === "win32" ? "claude.exe" : "claude"))
    .find((path) => existsSync(path));
  if (program === undefined) throw new Error("Claude Code is not installed: run npm ci in e2e/");
  return program;
}

/** An environment built from nothing: no variable of the caller's but PATH gets through to a client. */
export function cleanEnvironment(home: string): { [name: string]: string } {
  return {
    PATH: `${dirname(process.execPath)}:${process.env["PATH"] ?? "/usr/bin:/bin"}`,
    HOME: home,
    XDG_STATE_HOME: join(home, "state"),
    LANG: "C.UTF-8",
    GIT_CONFIG_NOSYSTEM: "1",
    GIT_AUTHOR_NAME: "Test",
    GIT_AUTHOR_EMAIL: "test@example.invalid",
    GIT_COMMITTER_NAME: "Test",
    GIT_COMMITTER_EMAIL: "test@example.invalid",
  };
}

/** What makes the client talk to the scripted model and to nobody else. */
export function claudeEnvironment(
  home: string,
  server: Pick<ModelServer, "url">,
): { [name: string]: string } {
  return {
    ...cleanEnvironment(home),
    CLAUDE_CONFIG_DIR: join(home, ".claude"),
    // Else it leaves the outputs of background tasks in /tmp.
    CLAUDE_CODE_TMPDIR: home,
    ANTHROPIC_BASE_URL: server.url,
    ANTHROPIC_API_KEY: "sk-ant-fake-for-the-scripted-model",
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
    DISABLE_AUTOUPDATER: "1",
    DISABLE_TELEMETRY: "1",
    DISABLE_ERROR_REPORTING: "1",
    IS_SANDBOX: "1",
    // Whatever is meant for elsewhere comes to the server too, which refuses it and remembers.
    HTTP_PROXY: server.url,
    HTTPS_PROXY: server.url,
    NO_PROXY: "127.0.0.1",
  };
}

/** Runs Claude Code headless on a prompt, to its end or to the time limit. */
export async function runClaude(options: ClaudeOptions): Promise<ClaudeRun> {
  const runId = randomUUID();
  const startedAt = performance.now();
  const child = spawn(claudeProgram(), argumentsOf(options), {
    cwd: options.project,
    env: { ...claudeEnvironment(options.home, options.server), LOOP_RUN_ID: runId, ...options.env },
    stdio: ["ignore", "pipe", "pipe"],
    // Leader of its own group, so that its end takes along whatever it started.
    detached: true,
  });
  const messages: StreamMessage[] = [];
  let stdout = "";
  let stderr = "";
  let unread = "";
  child.stdout.setEncoding("utf8").on("data", (chunk: string) => {
    stdout += chunk;
    const lines = (unread + chunk).split("\n");
    unread = lines.pop() ?? "";
    for (const line of lines) {
      const message = parseLine(line);
      if (message === null) continue;
      messages.push(message);
      options.onMessage?.(message, (signal) => child.kill(signal));
    }
  });
  child.stderr.setEncoding("utf8").on("data", (chunk: string) => (stderr += chunk));

  const { pid } = child;
  const endAll = async (): Promise<void> => {
    if (pid !== undefined) await endProcessTree({ roots: [{ pid, startedAt: null }], runId });
  };
  let timedOut = false;
  const limit = setTimeout(() => {
    timedOut = true;
    void endAll();
  }, options.timeLimitMs ?? PATIENCE_MS);
  const look = setInterval(() => {
    if (pid === undefined || options.killWhen?.() !== true) return;
    clearInterval(look);
    process.kill(-pid, "SIGKILL");
  }, LOOK_MS);
  const ending = await new Promise<{ exitCode: number | null; signal: NodeJS.Signals | null }>(
    (resolve, reject) => {
      child.once("error", reject);
      child.once("close", (exitCode, signal) => resolve({ exitCode, signal }));
    },
  ).finally(() => {
    clearTimeout(limit);
    clearInterval(look);
  });
  const durationMs = Math.round(performance.now() - startedAt);
  // The client does not wait for all of its hooks: StopFailure may still be at work.
  if (pid !== undefined && !timedOut) await untilNoneLeft(pid, runId, SETTLE_MS);
  await endAll();
  if (options.server.faults.length > 0) {
    throw new AggregateError(options.server.faults, "The script of the model server failed");
  }
  const result = messages.findLast((message): message is ResultMessage => message.type === "result");
  return { messages, result: result ?? null, ...ending, stdout, stderr, timedOut, durationMs };
}

/** What the hooks say to the user and not to the model. */
export function shown(run: ClaudeRun): string {
  const outputs = run.messages
    .filter(({ subtype }) => subtype === "hook_response")
    .map(({ output }) => output);
  return outputs
    .flatMap((output) => (typeof output === "string" && output.startsWith("{") ? [output] : []))
    .map((output) => (JSON.parse(output) as { systemMessage?: string }).systemMessage ?? "")
    .join("\n");
}

async function untilNoneLeft(rootPid: number, runId: string, limitMs: number): Promise<void> {
  const until = Date.now() + limitMs;
  while (Date.now() < until) {
    if (
      processesOfRun(await readProcessTable({ runId }), [{ pid: rootPid, startedAt: null }], new Map())
        .length === 0
    )
      return;
    await sleep(20);
  }
}

function argumentsOf(options: ClaudeOptions): readonly string[] {
  const { pluginDir, permissionMode, settings, sessionId, resume, args = [], prompt } = options;
  return [
    "-p",
    "--output-format=stream-json",
    "--verbose",
    `--permission-mode=${permissionMode ?? "bypassPermissions"}`,
    ...(pluginDir === undefined ? [] : ["--plugin-dir", pluginDir]),
    ...(settings === undefined ? [] : ["--settings", JSON.stringify(settings)]),
    ...(sessionId === undefined ? [] : ["--session-id", sessionId]),
    ...(resume === undefined ? [] : ["--resume", resume]),
    ...args,
    "--",
    prompt,
  ];
}

/** Null for what is not a message; the raw text stays readable in `stdout`. */
function parseLine(line: string): StreamMessage | null {
  try {
    return JSON.parse(line) as StreamMessage;
  } catch {
    return null;
  }
}
