import { spawn } from "node:child_process";
import { writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import { isFullEffort } from "../test/support/effort.ts";
import type { Move } from "./agents/agent.ts";
import { DrivenWorld, type Ran } from "./driven-world.ts";
import { codexMcp, copilotMcp, geminiMcp, opencodeMcp, qwenMcp, type McpClient } from "./mcp-client.ts";
import { CLI } from "./world.ts";

const HOOK = join(dirname(CLI), "hook.js");
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
  const env = { ...world.env, ...client.setUp(world.home, world.env) };
  const [program, ...args] = client.argv;
  const child = spawn(
    program,
    [...(more.length === 0 ? args : [...args.slice(0, 1), ...more, ...args.slice(1)])],
    {
      cwd: world.project,
      env,
      stdio: ["ignore", "pipe", "pipe"],
    },
  );
  let [out, err] = ["", ""];
  child.stdout.setEncoding("utf8").on("data", (text: string) => (out += text));
  child.stderr.setEncoding("utf8").on("data", (text: string) => (err += text));
  return new Promise((resolve) => {
    child.on("close", (code) => resolve({ code, out, err }));
  });
}

describe.each([
  ["Codex", codexMcp, true],
  ["Gemini CLI", geminiMcp, isFullEffort],
  ["Qwen Code", qwenMcp, isFullEffort],
  ["Copilot CLI", copilotMcp, true],
  ["opencode", opencodeMcp, isFullEffort],
] as const)("the tools of loop mcp in %s", (_, client, isRun) => {
  const call = (name: string, input: (Move & object) | object = {}): Move =>
    ({ call: client.tool(name), input }) as Move;

  test.runIf(isRun)("open a loop with the project's own check, run it, and refuse any other", async () => {
    const world = await worldOf(client, [
      call("start", { spec: SPEC, checks: ["touch pwned"] }),
      call("start", { spec: SPEC, checks: ["tests pass"] }),
      call("check"),
      { say: "I looked." },
    ]);
    await prompted(world, client);
    const [, refused, opened, checked] = world.model.heard;
    expect(refused).toContain("Only the project's own checks can be named here");
    expect(opened).toContain("tests pass");
    expect(checked).toContain("failed with exit code");
    const view = await world.status();
    expect(view).toMatchObject({ phase: "active", spec: SPEC });
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
  const hook = {
    type: "command",
    command: `'${process.execPath}' '${HOOK}' stop --host codex`,
    timeout: 600,
  };
  writeFileSync(
    join(world.home, ".codex", "hooks.json"),
    JSON.stringify({ hooks: { Stop: [{ hooks: [hook] }] } }),
  );
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
