import { spawnSync } from "node:child_process";
import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { PATIENCE_MS } from "../test/support/patience.ts";
import { startOfProcess } from "../src/system/process/process-facts.ts";
import { endProcessTree } from "../src/system/process/run-processes.ts";

export interface TerminalCommand {
  readonly command: readonly string[];
  /** All of its environment. */
  readonly env: NodeJS.ProcessEnv;
  readonly cwd: string;
  /** With which everything that it starts is marked in its environment, so that its end takes that along; "": nothing is. */
  readonly runId: string;
}

/** Why no client can be started in a terminal here; null: it can. */
export function missingTmux(): string | null {
  return spawnSync("tmux", ["-V"]).status === 0 ? null : "tmux is not installed";
}

const COLUMNS = 160;
const ROWS = 200;
export const LOOK_MS = 100;
export const ANSWER_MS = 1_000;

/** A client in a terminal of its own, with a person who reads the screen and presses keys. */
export class Terminal {
  readonly #socket = `loopwright-${randomUUID()}`;
  readonly #runId: string;

  constructor({ command, env, cwd, runId }: TerminalCommand) {
    this.#runId = runId;
    const mark = runId === "" ? {} : { LOOP_RUN_ID: runId };
    const given = { TERM: "xterm-256color", ...mark, ...env };
    const variables = Object.entries(given).map(([name, value]) => `${name}=${value}`);
    const size = ["-x", String(COLUMNS), "-y", String(ROWS)];
    this.#tmux("new-session", "-d", ...size, "-c", cwd, "env", "-i", ...variables, ...command);
  }

  /** All that is on the screen, without the blanks at its lines' ends. */
  screen(): string {
    return this.#tmux("capture-pane", "-p", "-S", "-").replaceAll(/[ \u00a0]+$/gm, "");
  }

  /** The same with its colours. */
  picture(): string {
    return this.#tmux("capture-pane", "-p", "-e", "-S", "-");
  }

  /** Forgets what has left the screen. */
  clear(): void {
    this.#tmux("clear-history");
  }

  async until(pattern: RegExp): Promise<string> {
    const limit = Date.now() + PATIENCE_MS;
    for (;;) {
      const screen = this.screen();
      if (pattern.test(screen)) return screen;
      if (Date.now() > limit) throw new Error(`never saw ${String(pattern)}:\n${screen}`);
      await sleep(LOOK_MS);
    }
  }

  /** Writes without sending it. */
  write(text: string): void {
    this.#tmux("send-keys", "-l", text);
  }

  press(...keys: readonly string[]): void {
    this.#tmux("send-keys", ...keys);
  }

  /** Presses a key until the question is answered. Newer clients ignore keys for a moment after one has come up. */
  async answer(question: RegExp, key = "Enter"): Promise<void> {
    await this.until(question);
    while (question.test(this.screen())) {
      this.press(key);
      await sleep(ANSWER_MS);
    }
  }

  async end(): Promise<void> {
    const pid = Number(this.#tmux("display-message", "-p", "#{pane_pid}").trim());
    await endProcessTree({ roots: [{ pid, startedAt: startOfProcess(pid) }], runId: this.#runId });
    spawnSync("tmux", ["-L", this.#socket, "kill-server"]);
  }

  #tmux(...args: readonly string[]): string {
    const { status, stdout, stderr } = spawnSync("tmux", ["-L", this.#socket, "-f", "/dev/null", ...args], {
      encoding: "utf8",
    });
    if (status !== 0) throw new Error(`tmux ${args.join(" ")}: ${stderr}`);
    return stdout;
  }
}
