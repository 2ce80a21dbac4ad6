import { randomUUID } from "node:crypto";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { PATIENCE_MS } from "../test/support/patience.ts";
import { claudeEnvironment, claudeProgram } from "./claude.ts";
import type { ModelServer } from "./model-server.ts";
import { ANSWER_MS, LOOK_MS, Terminal } from "./terminal.ts";

export interface TerminalOptions {
  readonly project: string;
  readonly home: string;
  readonly server: ModelServer;
  readonly pluginDir: string;
  readonly args?: readonly string[];
  readonly env?: { readonly [name: string]: string };
}

/** So much of a typed line is on one line of the screen for sure. */
const SHOWN_OF_LINE = 60;

/** What the client asks before it runs a command. */
export const ASKED = /Do you want to proceed\?/;

/** Claude Code in a terminal of its own. */
export class ClaudeTerminal extends Terminal {
  private constructor({ project, home, server, pluginDir, args = [], env = {} }: TerminalOptions) {
    const given: NodeJS.ProcessEnv = { ...claudeEnvironment(home, server), ...env };
    settle(home, project, given["ANTHROPIC_API_KEY"] ?? "");
    const command = [claudeProgram(), "--plugin-dir", pluginDir, ...args];
    super({ command, env: given, cwd: project, runId: randomUUID() });
  }

  /** Started, and waiting for the first prompt. */
  static async start(options: TerminalOptions): Promise<ClaudeTerminal> {
    const terminal = new ClaudeTerminal(options);
    await terminal.until(/^❯/m);
    return terminal;
  }

  /** Types a line, and sends it once the client has taken it in. A busy client takes a key for the end of its own suggestion. */
  async type(line: string): Promise<void> {
    this.write(line);
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

  /** Says yes to the command that the client asks about. */
  async allow(): Promise<void> {
    await this.answer(ASKED);
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
