import { spawnSync } from "node:child_process";
import {
  existsSync,
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
import { fileURLToPath } from "node:url";
import { onTestFinished } from "vitest";
import type { StatusView } from "../src/views/status.ts";
import { cleanEnvironment, runClaude } from "./claude.ts";
import type { ClaudeOptions, ClaudeRun } from "./claude.ts";
import type { JsonObject } from "./messages-api.ts";
import { ModelServer } from "./model-server.ts";
import type { Scenario } from "./model-server.ts";

const DIST = join(dirname(fileURLToPath(import.meta.url)), "..", "dist");
export const CLI = join(DIST, "cli.js");
export const HOOK = join(DIST, "hook.js");

export interface Files {
  readonly [path: string]: string;
}

/** A project under git, a home and a scripted model, all gone when the test is over. */
export class World {
  readonly project: string;
  readonly home: string;
  readonly server: ModelServer;

  private constructor(folder: string, server: ModelServer) {
    this.project = join(folder, "project");
    this.home = join(folder, "home");
    this.server = server;
    mkdirSync(this.project);
    mkdirSync(this.home);
  }

  static async create(files: Files, scenario: Scenario = {}): Promise<World> {
    const folder = realpathSync(mkdtempSync(join(tmpdir(), "loopwright-e2e-")));
    const server = await ModelServer.start(scenario);
    onTestFinished(async () => {
      await server.close();
      rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
    });
    const world = new World(folder, server);
    world.write(files);
    world.run("git", "init", "-q");
    world.run("git", "add", "-A");
    world.run("git", "commit", "-qm", "start", "--allow-empty");
    return world;
  }

  write(files: Files): void {
    for (const [path, text] of Object.entries(files)) {
      const full = join(this.project, path);
      mkdirSync(dirname(full), { recursive: true });
      writeFileSync(full, text);
    }
  }

  read(path: string): string {
    return readFileSync(join(this.project, path), "utf8");
  }

  /** Runs a program in the project as a person in a plain terminal would. */
  run(program: string, ...args: readonly string[]): string {
    const { status, stdout, stderr, error } = spawnSync(program, args, {
      cwd: this.project,
      env: cleanEnvironment(this.home),
      input: "",
      encoding: "utf8",
    });
    if (status !== 0) {
      throw new Error(`${program} ${args.join(" ")}: ${error?.message ?? ""}${stdout}${stderr}`);
    }
    return stdout;
  }

  loop(...args: readonly string[]): string {
    return this.run(process.execPath, CLI, ...args);
  }

  /** Every loop of the project, the newest first, as `loop status --json` shows it. */
  loops(): readonly StatusView[] {
    return (JSON.parse(this.loop("status", "--all", "--json")) as { loops: StatusView[] }).loops;
  }

  /** Whether the first record of a loop is on disk. */
  hasLoop(): boolean {
    const folder = join(this.project, ".loop", "loops");
    const ids = existsSync(folder) ? readdirSync(folder) : [];
    return ids.some((id) => existsSync(join(folder, id, "journal.jsonl")));
  }

  claude(options: Omit<ClaudeOptions, "project" | "home" | "server">): Promise<ClaudeRun> {
    return runClaude({ project: this.project, home: this.home, server: this.server, ...options });
  }
}

/** Settings that register the built hook for a stop, as an installed plugin would. */
export function stopHookSettings(): JsonObject {
  const hook = { type: "command", command: process.execPath, args: [HOOK, "stop", "--host", "claude-code"] };
  return { hooks: { Stop: [{ hooks: [{ ...hook, timeout: 60 }] }] } };
}

/** A turn's call of the client's Bash tool. */
export function bash(command: string): { name: string; input: JsonObject } {
  return { name: "Bash", input: { command, description: "Scripted command" } };
}
