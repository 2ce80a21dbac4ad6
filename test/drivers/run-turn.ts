import { spawn, type ChildProcess } from "node:child_process";
import { createInterface } from "node:readline";
import { onTestFinished } from "vitest";
import type { AgentEnding, Driver, Launch, AgentEvent, Turn } from "../../src/agents/drivers/driver.ts";
import type { Reading } from "./faults.ts";
import { OVER_AT } from "./conformance.ts";

export interface TurnOptions {
  readonly cwd: string;
  readonly onAgentEvent?: (agentEvent: AgentEvent, child: ChildProcess) => void;
}

/** One turn with a real process, as a run would have it. */
export async function runTurn(
  driver: Driver,
  turn: Turn,
  options: TurnOptions,
): Promise<Reading & { readonly tookPrompt: boolean }> {
  const reader = driver.readStream(turn);
  const launch = driver.command(turn);
  const child = start(launch, options.cwd);
  onTestFinished(() => void child.kill("SIGKILL"));
  let tookPrompt = true;
  child.stdin?.on("error", () => (tookPrompt = false)).end(launch.stdin);
  let stderr = "";
  child.stderr?.setEncoding("utf8").on("data", (text: string) => (stderr += text));

  const agentEvents: AgentEvent[] = [];
  const ended = new Promise<AgentEnding>((resolve) => {
    child.on("error", ({ message }) => resolve({ type: "not-started", message }));
    child.on("close", (code, signal) =>
      resolve(
        signal === null ? { type: "exited", code: code ?? 1, stderr } : { type: "signalled", signal, stderr },
      ),
    );
  });
  if (child.stdout !== null) {
    createInterface({ input: child.stdout }).on("line", (line) => {
      for (const agentEvent of reader.line(line)) {
        agentEvents.push(agentEvent);
        options.onAgentEvent?.(agentEvent, child);
      }
    });
  }
  return { report: reader.end(await ended, OVER_AT), agentEvents, tookPrompt };
}

function start({ command, env }: Launch, cwd: string): ChildProcess {
  const [program, ...args] = command.kind === "argv" ? command.argv : ["/bin/sh", "-c", command.line];
  return spawn(program, args, {
    cwd,
    env: { PATH: process.env["PATH"], ...env },
    stdio: ["pipe", "pipe", "pipe"],
    detached: true,
  });
}

/** Ends the process and all that it started in its group. */
export function endGroup(child: ChildProcess): void {
  if (child.pid !== undefined) process.kill(-child.pid, "SIGKILL");
}
