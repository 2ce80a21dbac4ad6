import type { CommandLine } from "../../core/loop/criterion.ts";
import { spawn, type ChildProcess, type SpawnOptions } from "node:child_process";
import { isFolder } from "../files/folders.ts";
import { belowSubreaper } from "./subreaper.ts";

interface StartOptions {
  readonly cwd: string;
  /** The whole environment: nothing is inherited. */
  readonly env: NodeJS.ProcessEnv;
  readonly stdio: readonly ["ignore" | "pipe", "ignore" | "pipe", "ignore" | "pipe"];
  /** Where the system allows it, all that it leaves behind ends with it. */
  readonly endsWhole?: boolean;
  /** With that: one pipe for both streams. */
  readonly hasOneStream?: boolean;
}

/** Starts a command as the leader of its own group and session, so a Ctrl-C in our terminal doesn't reach it. */
export function startCommand(
  command: CommandLine,
  { cwd, env, stdio, endsWhole = false, hasOneStream = false }: StartOptions,
): ChildProcess | { readonly message: string } {
  if (!isFolder(cwd)) return { message: `the folder ${cwd} does not exist` };
  const settings: SpawnOptions = {
    cwd,
    env,
    stdio: [...stdio],
    detached: process.platform !== "win32",
    windowsHide: true,
  };
  try {
    if (process.platform !== "win32" || command.kind === "argv") {
      const argv: readonly [string, ...string[]] =
        command.kind === "argv" ? command.argv : ["/bin/sh", "-c", command.line];
      const started = endsWhole ? belowSubreaper({ argv, env, hasOneStream }) : { argv, env };
      return spawn(started.argv[0], started.argv.slice(1), { ...settings, env: started.env });
    }
    const args = ["/d", "/s", "/c", `"${command.line}"`];
    return spawn("cmd", args, { ...settings, windowsVerbatimArguments: true });
  } catch (error) {
    return { message: error instanceof Error ? error.message : String(error) };
  }
}

const running = new Set<number>();
let listening = false;

/** Ends a process group if this process exits in the middle; returns a function that releases it. */
export function endWithUs(groupLeader: number): () => void {
  if (!listening) process.on("exit", endAll);
  listening = true;
  running.add(groupLeader);
  return () => running.delete(groupLeader);
}

// It is too late to wait for anything.
function endAll(): void {
  for (const groupLeader of running) {
    try {
      process.kill(process.platform === "win32" ? groupLeader : -groupLeader, "SIGKILL");
    } catch {
      // It has just ended by itself.
    }
  }
}

export type Ending =
  | { readonly type: "exited"; readonly code: number }
  | { readonly type: "signalled"; readonly signal: string }
  | { readonly type: "timed-out"; readonly limitMs: number }
  | { readonly type: "not-started"; readonly message: string }
  | { readonly type: "aborted" };

interface EndingLimits {
  /** null: no limit. */
  readonly timeoutMs: number | null;
  readonly signal: AbortSignal | undefined;
}

export const LONGEST_TIMER_MS = 2 ** 31 - 1;

/** All the ways a command can end, as one race. */
export function firstEnding(child: ChildProcess, { timeoutMs, signal }: EndingLimits): Promise<Ending> {
  return new Promise<Ending>((resolve) => {
    const timer =
      timeoutMs === null
        ? undefined
        : setTimeout(
            () => settle({ type: "timed-out", limitMs: timeoutMs }),
            Math.min(timeoutMs, LONGEST_TIMER_MS),
          );
    const onAbort = (): void => settle({ type: "aborted" });
    function settle(ending: Ending): void {
      clearTimeout(timer);
      signal?.removeEventListener("abort", onAbort);
      resolve(ending);
    }
    signal?.addEventListener("abort", onAbort);
    child.once("error", (error) => settle({ type: "not-started", message: error.message }));
    child.once("exit", (code, signal) =>
      settle(signal === null ? { type: "exited", code: code ?? 1 } : { type: "signalled", signal }),
    );
  });
}
