import type { CommandLine } from "../../core/loop/criterion.ts";
import { spawn, type ChildProcess, type SpawnOptions } from "node:child_process";
import { isFolder } from "../files/folders.ts";

interface StartOptions {
  readonly cwd: string;
  /** The whole environment: nothing is inherited. */
  readonly env: NodeJS.ProcessEnv;
  readonly stdio: readonly ["ignore" | "pipe", "ignore" | "pipe", "ignore" | "pipe"];
}

/** Starts a command as the leader of its own group and session, so a Ctrl-C in our terminal doesn't reach it. */
export function startCommand(
  command: CommandLine,
  { cwd, env, stdio }: StartOptions,
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
    if (command.kind === "argv") return spawn(command.argv[0], command.argv.slice(1), settings);
    if (process.platform !== "win32") return spawn("/bin/sh", ["-c", command.line], settings);
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
