import { spawn, spawnSync } from "node:child_process";
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { onTestFinished } from "vitest";
import { PATIENCE_MS } from "../../test/support/patience.ts";
import { endAllIn } from "../../test/support/processes-in.ts";
import type { StatusView } from "../../src/views/status.ts";
import type { Move, ScriptedModel } from "../agents/agent.ts";
import { cleanEnvironment } from "../claude.ts";
import type { Ran } from "../driven-world.ts";
import { CLI } from "../world.ts";
import type { HostedClient } from "./hosted-client.ts";

/** A project under git, a home with a client in it, and a scripted model. */
export class HostedWorld {
  readonly project: string;
  readonly home: string;
  readonly client: HostedClient;
  readonly model: ScriptedModel;
  readonly env: { readonly [name: string]: string };

  private constructor(folder: string, client: HostedClient, model: ScriptedModel) {
    this.project = join(folder, "project");
    this.home = join(folder, "home");
    this.client = client;
    this.model = model;
    mkdirSync(this.project);
    mkdirSync(this.home);
    const clean = cleanEnvironment(this.home);
    const PATH = `${client.bin}:${join(dirname(CLI), "bin")}:${clean["PATH"]}`;
    this.env = { ...clean, ...client.environment(this.home, model), PATH };
    // Some clients give their agent a login shell, which begins with the machine's PATH.
    writeFileSync(join(this.home, ".profile"), `PATH='${PATH}'\n`);
  }

  static async create(client: HostedClient, moves: readonly Move[] = []): Promise<HostedWorld> {
    const folder = realpathSync(mkdtempSync(join(tmpdir(), "loopwright-held-")));
    const model = await client.startModel(moves);
    const world = new HostedWorld(folder, client, model);
    onTestFinished(async () => {
      await endAllIn(world.home);
      await model.close();
      rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
    });
    world.newProject(world.project);
    return world;
  }

  /** The same, with our hooks in the client's settings. */
  static async installed(client: HostedClient, moves: readonly Move[] = []): Promise<HostedWorld> {
    const world = await HostedWorld.create(client, moves);
    await world.install();
    return world;
  }

  async install(): Promise<Ran> {
    const ran = await this.loop("install", this.client.id, "--yes");
    if (ran.code !== 0) throw new Error(ran.out + ran.err);
    await this.client.afterInstall?.(this);
    return ran;
  }

  /** The hooks call a copy of the program, which a test may break. */
  async moveProgram(folder: string): Promise<void> {
    cpSync(dirname(CLI), folder, { recursive: true });
    await this.loop("uninstall", this.client.id, "--yes");
    const ran = await this.run(["install", this.client.id, "--yes"], { cli: join(folder, "cli.js") });
    if (ran.code !== 0) throw new Error(ran.out + ran.err);
    await this.client.afterInstall?.(this);
  }

  newProject(folder: string): void {
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, "README.md"), "A project\n");
    for (const args of [
      ["init", "-q"],
      ["add", "-A"],
      ["commit", "-qm", "start"],
    ])
      spawnSync("git", args, { cwd: folder, env: this.env });
  }

  /** The client on one prompt, to its end. */
  prompt(
    text: string,
    options: { readonly conversation?: string; readonly cwd?: string; readonly env?: NodeJS.ProcessEnv } = {},
  ): Promise<Ran> {
    const [program = "", ...args] = this.client.command(text, options.conversation ?? null);
    return this.#run(program, args, options.cwd ?? this.project, options.env);
  }

  loop(...args: readonly string[]): Promise<Ran> {
    return this.run(args);
  }

  /** `loop` with more variables, such as those of another client, in another folder, or a copy of it. */
  run(
    args: readonly string[],
    how: { readonly env?: NodeJS.ProcessEnv; readonly cwd?: string; readonly cli?: string } = {},
  ): Promise<Ran> {
    return this.#run(process.execPath, [how.cli ?? CLI, ...args], how.cwd ?? this.project, how.env);
  }

  async status(): Promise<StatusView> {
    const { out } = await this.loop("status", "--all", "--json");
    const [view] = (JSON.parse(out) as { loops: readonly StatusView[] }).loops;
    if (view === undefined) throw new Error("there is no loop");
    return view;
  }

  /** Every file of the client's own folder that settings may be in, by its bytes. */
  settings(): ReadonlyMap<string, string> {
    const folder = join(this.home, this.client.folder);
    const names = readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && !entry.parentPath.includes("node_modules"))
      .map((entry) => join(entry.parentPath, entry.name));
    return new Map(names.map((name) => [name, readFileSync(name, "latin1")]));
  }

  #run(program: string, args: readonly string[], cwd: string, env: NodeJS.ProcessEnv = {}): Promise<Ran> {
    const child = spawn(program, args, {
      cwd,
      env: { ...this.env, ...env },
      stdio: ["ignore", "pipe", "pipe"],
    });
    let out = "";
    let err = "";
    child.stdout.setEncoding("utf8").on("data", (text: string) => (out += text));
    child.stderr.setEncoding("utf8").on("data", (text: string) => (err += text));
    const limit = setTimeout(() => child.kill("SIGKILL"), PATIENCE_MS);
    return new Promise<Ran>((resolve, reject) => {
      child.on("error", reject);
      child.on("close", (code) => {
        clearTimeout(limit);
        resolve({ code, out, err });
      });
    });
  }
}
