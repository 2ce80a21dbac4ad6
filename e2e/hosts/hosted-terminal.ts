import { setTimeout as sleep } from "node:timers/promises";
import { onTestFinished } from "vitest";
import { PATIENCE_MS } from "../../test/support/patience.ts";
import { ANSWER_MS, LOOK_MS, Terminal } from "../terminal.ts";
import type { InTerminal } from "./hosted-client.ts";
import type { HostedWorld } from "./hosted-world.ts";

/** A client in a terminal, whose user types prompts. */
export class HostedTerminal {
  readonly #world: HostedWorld;
  readonly #terminal: Terminal;

  private constructor(world: HostedWorld, { command }: InTerminal) {
    this.#world = world;
    this.#terminal = new Terminal({ command, env: world.env, cwd: world.project, runId: "" });
    onTestFinished(async () => this.#terminal.end());
  }

  /** Started, and waiting for a prompt. */
  static async start(world: HostedWorld, how: InTerminal): Promise<HostedTerminal> {
    const started = new HostedTerminal(world, how);
    const limit = Date.now() + PATIENCE_MS;
    while (!how.ready.test(started.screen())) {
      const asked = how.asks.find(({ question }) => question.test(started.screen()));
      if (asked !== undefined) started.#terminal.press(...asked.keys);
      if (Date.now() > limit) throw new Error(`never ready:\n${started.screen()}`);
      await sleep(asked === undefined ? LOOK_MS : ANSWER_MS);
    }
    return started;
  }

  screen(): string {
    return this.#terminal.screen();
  }

  until(pattern: RegExp): Promise<string> {
    return this.#terminal.until(pattern);
  }

  /** Types a prompt when the client is done with the last one, and sends it until the model is asked. */
  async type(prompt: string): Promise<void> {
    await this.untilCalm();
    const { model } = this.#world;
    const { played } = model;
    this.#terminal.write(prompt);
    await this.untilCalm();
    const limit = Date.now() + PATIENCE_MS;
    while (model.played === played) {
      if (Date.now() > limit) throw new Error(`"${prompt}" never came to the model:\n${this.screen()}`);
      this.#terminal.press("Enter");
      await sleep(2 * ANSWER_MS);
    }
  }

  /** Until nothing moves on the screen. */
  async untilCalm(): Promise<void> {
    const limit = Date.now() + PATIENCE_MS;
    for (let before = ""; before !== this.screen() && Date.now() < limit;) {
      before = this.screen();
      await sleep(ANSWER_MS);
    }
  }
}
