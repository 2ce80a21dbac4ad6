import { spawnSync } from "node:child_process";
import { randomUUID } from "node:crypto";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { PATIENCE_MS } from "../test/support/patience.ts";
import { endProcessTree } from "../src/system/process/run-processes.ts";
import { claudeEnvironment, claudeProgram } from "./claude.ts";
import type { ModelServer } from "./model-server.ts";

export interface TerminalOptions {
  readonly project: string;
  readonly home: string;
  readonly server: ModelServer;
  readonly pluginDir: string;
  readonly args?: readonly string[];
  readonly env?: { readonly [name: string]: string };
}

/** Why no client can be started in a terminal here; null: it can. */
export function missingTmux(): string | null {
  return spawnSync("tmux", ["-V"]).status === 0 ? null : "tmux is not installed";
}

const COLUMNS = 160;
const ROWS = 200;
const LOOK_MS = 100;
const ANSWER_MS = 1_000;
/** So much of a typed line is on one line of the screen for sure. */
const SHOWN_OF_LINE = 60;

/** What the client asks before it runs a command. */
export const ASKED = /Do you want to proceed\?/;

/** Claude Code in a terminal of its own, with a person who reads the screen and types. */
export class ClaudeTerminal {
  readonly #socket = `loopwright-${randomUUID()}`;
  readonly #runId = randomUUID();

  private constructor({ project, home, server, pluginDir, args = [], env = {} }: TerminalOptions) {
    const given: NodeJS.ProcessEnv = {
      ...claudeEnvironment(home, server),
      TERM: "xterm-256color",
      LOOP_RUN_ID: this.#runId,
      ...env,
    };
    settle(home, project, given["ANTHROPIC_API_KEY"] ?? "");
    const variables = Object.entries(given).map(([name, value]) => `${name}=${value}`);
    const command = ["env", "-i", ...variables, claudeProgram(), "--plugin-dir", pluginDir, ...args];
    this.#tmux("new-session", "-d", "-x", String(COLUMNS), "-y", String(ROWS), "-c", project, ...command);
  }

  /** Started, and waiting for the first prompt. */
  static async start(options: TerminalOptions): Promise<ClaudeTerminal> {
    const terminal = new ClaudeTerminal(options);
    await terminal.until(/^❯/m);
    return terminal;
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

  /** Types a line, and sends it once the client has taken it in. A busy client takes a key for the end of its own suggestion. */
  async type(line: string): Promise<void> {
    this.#tmux("send-keys", "-l", line);
    const begins = line.slice(0, SHOWN_OF_LINE);
    const isTyped = (): boolean => this.#input().startsWith(begins);
    const limit = Date.now() + PATIENCE_MS;
    while (!isTyped() && Date.now() < limit) await sleep(LOOK_MS);
    await sleep(500);
    do {
      this.press("Enter");
      await sleep(ANSWER_MS);
    } while (isTyped() && Date.now() < limit);
  }

  /** What stands where the user types. */
  #input(): string {
    const [, typed = ""] =
      /^❯[ \u00a0](.*)$/m.exec(this.screen().slice(this.screen().lastIndexOf("❯"))) ?? [];
    return typed;
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

  /** Says yes to the command that the client asks about. */
  async allow(): Promise<void> {
    await this.answer(ASKED);
  }

  async end(): Promise<void> {
    const pid = Number(this.#tmux("display-message", "-p", "#{pane_pid}").trim());
    await endProcessTree({ roots: [{ pid, startedAt: null }], runId: this.#runId });
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

/** What the client asks a new user is answered: it is no part of what is tested. */
function settle(home: string, project: string, key: string): void {
  const folder = join(home, ".claude");
  mkdirSync(folder, { recursive: true });
  const settings = {
    hasCompletedOnboarding: true,
    theme: "dark",
    bypassPermissionsModeAccepted: true,
    customApiKeyResponses: { approved: [key.slice(-20)], rejected: [] },
    projects: { [project]: { hasTrustDialogAccepted: true, hasCompletedProjectOnboarding: true } },
  };
  writeFileSync(join(folder, ".claude.json"), JSON.stringify(settings));
}
