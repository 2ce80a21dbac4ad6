import { spawn } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { isFullEffort } from "../test/support/effort.ts";
import type { Move } from "./agents/agent.ts";
import { DrivenWorld, type Ran } from "./driven-world.ts";
import {
  claudeMcp,
  codexMcp,
  copilotMcp,
  geminiMcp,
  opencodeMcp,
  qwenMcp,
  type McpClient,
} from "./mcp-client.ts";
import { CLI } from "./world.ts";

const PACKAGE = JSON.stringify({ name: "shop", scripts: { test: "sh test.sh" } });
const SPEC = "Write done.txt until the tests pass";

/** A project with a test of its own that fails until `done.txt` says so. */
async function worldOf(client: McpClient, moves: readonly Move[]): Promise<DrivenWorld> {
  const world = await DrivenWorld.create(client.agent, moves);
  world.write("package.json", PACKAGE);
  world.write("test.sh", "grep -q yes done.txt\n");
  return world;
}

/** The client with one prompt, as a user without a terminal would start it. */
async function prompted(world: DrivenWorld, client: McpClient, more: readonly string[] = []): Promise<Ran> {
  const env = { ...world.env, ...client.setUp?.(world.home) };
  const tools = client.adding === undefined ? ["--mcp"] : [];
  const installed = await world.loop("install", client.host, ...tools, "--yes");
  const added = client.adding === undefined ? installed : await started(world, env, client.adding);
  expect([installed.code, added.code]).toEqual([0, 0]);
  const [program, first = "", ...rest] = client.argv;
  return started(world, env, [program, first, ...more, ...rest]);
}

async function started(
  { project }: DrivenWorld,
  env: NodeJS.ProcessEnv,
  [program, ...args]: readonly [string, ...string[]],
): Promise<Ran> {
  const child = spawn(program, args, { cwd: project, env, stdio: ["ignore", "pipe", "pipe"] });
  let [out, err] = ["", ""];
  child.stdout.setEncoding("utf8").on("data", (text: string) => (out += text));
  child.stderr.setEncoding("utf8").on("data", (text: string) => (err += text));
  return new Promise((resolve) => {
    child.on("close", (code) => resolve({ code, out, err }));
  });
}

/** What the clients' own settings say, wherever they are. */
function settingsIn(home: string): string {
  const files = [
    ".codex/config.toml",
    ".gemini/settings.json",
    ".qwen/settings.json",
    ".copilot/mcp-config.json",
    ".config/opencode/opencode.json",
  ];
  return files
    .map((file) => join(home, file))
    .filter((path) => existsSync(path))
    .map((path) => readFileSync(path, "utf8"))
    .join("\n");
}

describe.each([
  ["Codex", codexMcp, true],
  ["Gemini CLI", geminiMcp, isFullEffort],
  ["Qwen Code", qwenMcp, isFullEffort],
  ["Copilot CLI", copilotMcp, true],
  ["opencode", opencodeMcp, isFullEffort],
  ["Claude Code", claudeMcp, true],
] as const)("the tools of loop mcp in %s", (_, client, isRun) => {
  const call = (name: string, input: (Move & object) | object = {}): Move =>
    ({ call: client.tool(name), input }) as Move;

  test.runIf(isRun)("open a loop with the project's own check, run it, and refuse any other", async () => {
    const world = await worldOf(client, [
      call("start", { spec: SPEC, checks: ["touch pwned"] }),
      call("start", { spec: SPEC, checks: ["tests pass"] }),
      call("check"),
      // The hooks are in, too.
      call("blocked", { reason: "I only look." }),
      { say: "I looked." },
    ]);
    await prompted(world, client);
    const [, refused, opened, checked] = world.model.heard;
    expect(refused).toContain("Only the project's own checks can be named here");
    expect(opened).toContain("tests pass");
    expect(checked).toContain("failed with exit code");
    expect(await world.status()).toMatchObject({ spec: SPEC, iteration: 0 });

    await world.loop("uninstall", client.host, "--yes");
    const left = await world.loop("uninstall", client.host, "--yes");
    expect(left.out).toContain("No loop hooks found");
    expect(settingsIn(world.home)).not.toMatch(/cli\.js/);
  });
});

test("a sandboxed Codex, which cannot write the state home, finishes a loop through the tools", async () => {
  const call = (name: string, input: object = {}): Move => ({ call: codexMcp.tool(name), input }) as Move;
  const world = await worldOf(codexMcp, [
    { run: `'${process.execPath}' '${CLI}' start 'Write done.txt' -c 'tests pass=npm test'` },
    call("start", { spec: SPEC, checks: ["tests pass"] }),
    call("done"),
    { say: "Everything is done." },
    { write: "done.txt", text: "yes\n" },
    call("done"),
    { say: "Now it is." },
  ]);
  const ran = await prompted(world, codexMcp, ["--dangerously-bypass-hook-trust"]);

  expect(ran).toMatchObject({ code: 0 });
  const [, shell, opened, claimed, held] = world.model.heard;
  expect(shell).toContain("cannot be written here");
  expect(shell).toContain("use the tools of loop mcp");
  expect(shell).not.toContain("unexpected error");
  expect(opened).toContain("tests pass");
  expect(claimed).toContain("Recorded");
  expect(held).toContain("unmet criteria: tests pass");
  expect(await world.status()).toMatchObject({ phase: "completed", iteration: 1 });
  expect(await world.processesAfterAMoment()).toEqual([]);
});

test.runIf(isFullEffort)(
  "Claude Code's own session is held for a loop of the tools, and let go when it is done",
  async () => {
    const call = (name: string, input: object = {}): Move => ({ call: claudeMcp.tool(name), input }) as Move;
    const world = await worldOf(claudeMcp, [
      call("start", { spec: SPEC, checks: ["tests pass"] }),
      call("cancel"),
      call("done"),
      { say: "Everything is done." },
      { write: "done.txt", text: "yes\n" },
      call("done"),
      { say: "Now it is." },
    ]);
    expect(await prompted(world, claudeMcp)).toMatchObject({ code: 0 });
    expect(world.model.heard[2]).toContain("No such tool");
    expect(world.model.heard[4]).toContain("unmet criteria: tests pass");
    expect(await world.status()).toMatchObject({ phase: "completed", iteration: 1 });
  },
);
