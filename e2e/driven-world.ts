import { spawn, spawnSync } from "node:child_process";
import type { ChildProcess } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { onTestFinished } from "vitest";
import { endAllIn, leftIn } from "../test/support/processes-in.ts";
import type { StatusView } from "../src/views/status.ts";
import type { Move, ScriptedAgent, ScriptedModel } from "./agents/agent.ts";
import { cleanEnvironment } from "./claude.ts";
import { CLI } from "./world.ts";

export interface Ran {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

/** A project under git, a home, and a real agent on a scripted model, driven by `loop run`. */
export class DrivenWorld {
  readonly project: string;
  readonly home: string;
  readonly agent: ScriptedAgent;
  readonly model: ScriptedModel;
  readonly env: { readonly [name: string]: string };

  private constructor(folder: string, agent: ScriptedAgent, model: ScriptedModel) {
    this.project = join(folder, "project");
    this.home = join(folder, "home");
    this.agent = agent;
    this.model = model;
    mkdirSync(this.project);
    mkdirSync(this.home);
    const clean = cleanEnvironment(this.home);
    this.env = {
      ...clean,
      ...agent.environment(this.home, model),
      PATH: `${agent.bin}:${clean["PATH"]}`,
    };
  }

  static async create(agent: ScriptedAgent, moves: readonly Move[]): Promise<DrivenWorld> {
    const folder = realpathSync(mkdtempSync(join(tmpdir(), "loopwright-run-")));
    const model = await agent.startModel(moves);
    const world = new DrivenWorld(folder, agent, model);
    onTestFinished(async () => {
      await endAllIn(world.home);
      await model.close();
      rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
    });
    writeFileSync(join(world.project, "README.md"), "A project\n");
    for (const args of [
      ["init", "-q"],
      ["add", "-A"],
      ["commit", "-qm", "start"],
    ])
      world.#git(args);
    return world;
  }

  /** `loop run` with the agent, allowed to do everything. */
  run(...args: readonly string[]): Promise<Ran> {
    return this.start(["run", "--agent", this.agent.id, ...this.agent.permissive, ...args]).done;
  }

  loop(...args: readonly string[]): Promise<Ran> {
    return this.start(args).done;
  }

  /** A command of `loop` that is not waited for. */
  start(args: readonly string[]): { readonly child: ChildProcess; readonly done: Promise<Ran> } {
    const child = spawn(process.execPath, [CLI, ...args], {
      cwd: this.project,
      env: this.env,
      stdio: ["ignore", "pipe", "pipe"],
    });
    let out = "";
    let err = "";
    child.stdout.setEncoding("utf8").on("data", (text: string) => (out += text));
    child.stderr.setEncoding("utf8").on("data", (text: string) => (err += text));
    const done = new Promise<Ran>((resolve) => child.on("close", (code) => resolve({ code, out, err })));
    return { child, done };
  }

  async status(): Promise<StatusView> {
    const { out } = await this.loop("status", "--all", "--json");
    const [view] = (JSON.parse(out) as { loops: readonly StatusView[] }).loops;
    if (view === undefined) throw new Error("there is no loop");
    return view;
  }

  read(path: string): string {
    return readFileSync(join(this.project, path), "utf8");
  }

  write(path: string, text: string): void {
    mkdirSync(dirname(join(this.project, path)), { recursive: true });
    writeFileSync(join(this.project, path), text);
  }

  /** Waits until the model was asked so often. */
  async untilAsked(count: number): Promise<void> {
    for (let round = 0; this.model.heard.length < count; round += 1) {
      if (round > 1_200)
        throw new Error(`the model was asked ${this.model.heard.length} times, not ${count}`);
      await sleep(25);
    }
  }

  /** Processes that still run on behalf of this world. */
  async processesAfterAMoment(): Promise<readonly string[]> {
    return (await leftIn(this.home)).map(({ line }) => line);
  }

  #git(args: readonly string[]): void {
    const { status, stderr } = spawnSync("git", args, { cwd: this.project, env: this.env, encoding: "utf8" });
    if (status !== 0) throw new Error(`git ${args.join(" ")}: ${stderr}`);
  }
}

/** An agent's last words, with the block that claims the end or does not. */
export function words(text: string, isDone: boolean): string {
  return `${text}\n\n---LOOP_STATUS---\nEXIT_SIGNAL: ${isDone}\n---END_STATUS---`;
}
