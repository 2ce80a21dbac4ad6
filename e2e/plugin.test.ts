import { spawnSync } from "node:child_process";
import { randomUUID } from "node:crypto";
import { cpSync, existsSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import { claudeCodeInstaller } from "../src/agents/hosts/claude-code/install/installer.ts";
import { applyChange } from "../src/agents/hosts/install/settings-file.ts";
import { claudeEnvironment, claudeProgram } from "./claude.ts";
import { CLI, HOOK, World, bash } from "./world.ts";

const DIST = dirname(CLI);
const PLUGIN = join(DIST, "plugin");

/** Runs the client as a command, such as `claude plugin list`. */
function claude(world: World, ...args: readonly string[]): { code: number | null; said: string } {
  const { status, stdout, stderr } = spawnSync(claudeProgram(), args, {
    cwd: world.project,
    env: claudeEnvironment(world.home, world.server),
    input: "",
    encoding: "utf8",
  });
  return { code: status, said: stdout + stderr };
}

function heredoc(command: string, spec: string): string {
  return `${command} -f - <<'END_OF_SPEC'\n${spec}\nEND_OF_SPEC`;
}

describe("the plugin in Claude Code", () => {
  test.each([PLUGIN, DIST])("passes the client's own strict validation: %s", async (folder) => {
    const { code, said } = claude(await World.create({}), "plugin", "validate", folder, "--strict");
    expect(said).toContain("Validation passed");
    expect(code).toBe(0);
  });

  test("is installed from the marketplace, and its skills, hooks and program work from there", async () => {
    const world = await World.create(
      { "state.txt": "broken\n" },
      {
        main: [
          { tools: [bash(heredoc("loop start -c 'fixed=grep -q fixed state.txt' --shape tool", "Fix it"))] },
          { text: "All done." },
          { tools: [bash("echo fixed > state.txt; loop done")] },
          { text: "Now it is." },
        ],
      },
    );
    expect(claude(world, "plugin", "marketplace", "add", DIST)).toMatchObject({ code: 0 });
    expect(claude(world, "plugin", "install", "loop@loopwright")).toMatchObject({ code: 0 });
    expect(claude(world, "plugin", "list").said).toMatch(/loop@loopwright[\s\S]*enabled/);

    const run = await world.claude({ prompt: "Fix it" });
    const init = run.messages.find(({ subtype }) => subtype === "init");
    // Newer clients list plugins of their own beside it.
    expect(init?.["plugins"]).toContainEqual(
      expect.objectContaining({ name: "loop", source: "loop@loopwright" }),
    );
    expect(init?.["plugin_errors"] ?? []).toEqual([]);
    expect(init?.["slash_commands"]).toEqual(
      expect.arrayContaining(
        ["start", "continue", "cancel", "status", "pause"].map((name) => `loop:${name}`),
      ),
    );
    expect(world.server.of("main")[2]?.newText).toContain("unmet criteria: fixed");
    expect(run.result?.result).toBe("Now it is.");
    expect(world.loops()).toMatchObject([{ phase: "completed", session: run.result?.session_id }]);

    const place = { env: { CLAUDE_CONFIG_DIR: join(world.home, ".claude") }, cwd: world.project };
    const program = { node: process.execPath, hook: HOOK };
    expect(claudeCodeInstaller.planInstall(place, "user", program)).toMatchObject({ type: "refused" });
    expect(claude(world, "plugin", "uninstall", "loop@loopwright")).toMatchObject({ code: 0 });
    expect(claudeCodeInstaller.planInstall(place, "user", program)).toMatchObject({ type: "changes" });
    expect(world.server.outside).toEqual([]);
  });
});

describe("/loop:start", () => {
  const spec = 'Fix "it" $(touch pwned) `touch pwned` !`touch pwned`, don\'t stop';

  test("tells the model the session and the user's words, and runs none of them", async () => {
    const session = randomUUID();
    const world = await World.create({}, { main: [{ text: "I see." }] });
    await world.claude({ prompt: `/loop:start ${spec}`, pluginDir: PLUGIN, sessionId: session });
    const told = world.server.of("main")[0]?.newText ?? "";
    expect(told).toContain(`loop start --session ${session} -c 'tests pass=npm test'`);
    expect(told).toContain(`<command-args>${spec}</command-args>`);
    expect(existsSync(join(world.project, "pwned"))).toBe(false);
  });

  test("tells the model where its references are, which it may read without a question, and sends none unasked", async () => {
    const references = join(PLUGIN, "skills", "start", "references");
    const path = join(references, "mechanics.md");
    const world = await World.create(
      {},
      { main: [{ tools: [{ name: "Read", input: { file_path: path } }] }, { text: "It holds me." }] },
    );
    await world.claude({
      prompt: "/loop:start how does loop work?",
      pluginDir: PLUGIN,
      permissionMode: "default",
    });
    const [asked, read] = world.server.of("main");
    expect(asked?.newText).toContain(join(PLUGIN, "skills", "start"));
    expect(asked?.newText).toContain("`mechanics.md`");
    expect(asked?.newText).not.toContain("# How loop works");
    expect(read?.toolResults).toMatchObject([{ isError: false }]);
    expect(read?.toolResults[0]?.text).toContain("# How loop works");
    expect(world.loops()).toEqual([]);
  });

  test("lets the model look without a question, but not bring in a command", async () => {
    const world = await World.create(
      {},
      {
        main: [
          { tools: [bash(heredoc("loop score", spec)), bash("loop criteria discover"), bash("loop status")] },
          { tools: [bash(heredoc("loop start -c 'ok=touch pwned'", spec))] },
          { text: "Refused." },
        ],
      },
    );
    const prompt = `/loop:start ${spec}`;
    await world.claude({ prompt, pluginDir: PLUGIN, permissionMode: "default" });
    const [, looked, started] = world.server.of("main");
    expect(looked?.toolResults.map(({ isError }) => isError)).toEqual([false, false, false]);
    expect(looked?.toolResults[0]?.text).toMatch(/total +\d+\/10/);
    expect(started?.toolResults).toMatchObject([{ isError: true }]);
    expect(existsSync(join(world.project, "pwned"))).toBe(false);
    expect(world.loops()).toEqual([]);
  });
});

describe("what only the user can call", () => {
  test("/loop:cancel cancels before the model hears of it", async () => {
    const session = randomUUID();
    const world = await World.create({}, { main: [{ text: "It is cancelled." }] });
    world.loop("start", "Fix it", "-c", "never=false", "--shape", "tool", "--session", session);
    const run = await world.claude({
      prompt: "/loop:cancel",
      pluginDir: PLUGIN,
      sessionId: session,
      permissionMode: "default",
    });
    expect(world.server.of("main")[0]?.newText).toContain("[LOOP] Cancelled: ");
    expect(run.result?.result).toBe("It is cancelled.");
    expect(world.loops()).toMatchObject([{ phase: "cancelled" }]);
  });

  test("/loop:pause pauses, /loop:continue goes on with what was typed, and no more", async () => {
    const session = randomUUID();
    const world = await World.create(
      { "state.txt": "broken\n" },
      {
        main: [
          { text: "Paused." },
          { tools: [bash("loop continue --iterations=5")] },
          { tools: [bash("loop continue --iterations=5")] },
          { tools: [bash("echo fixed > state.txt; loop done")] },
          { text: "Fixed." },
        ],
      },
    );
    const check = "fixed=grep -q fixed state.txt";
    world.loop("start", "Fix it", "-c", check, "--shape", "tool", "--session", session);
    await world.claude({ prompt: "/loop:pause", pluginDir: PLUGIN, sessionId: session });
    expect(world.server.of("main")[0]?.newText).toContain("[LOOP] ⏸ Paused: user");
    expect(world.loops()).toMatchObject([{ phase: "paused", reason: "user", iterationLimit: 10 }]);

    await world.claude({
      prompt: "/loop:continue --iterations=5 and mind the tests",
      pluginDir: PLUGIN,
      resume: session,
    });
    const [, asked, continued, again] = world.server.of("main");
    expect(asked?.newText).toContain("<typed>--iterations=5 and mind the tests</typed>");
    expect(continued?.toolResults).toMatchObject([{ isError: false }]);
    expect(again?.toolResults).toMatchObject([{ isError: true }]);
    expect(world.loops()).toMatchObject([{ phase: "completed", iterationLimit: 15 }]);
  });

  test("is refused where the client can't start the plugin's hook.sh, as on Windows; a stop is held all the same", async () => {
    const session = randomUUID();
    const world = await World.create(
      { "state.txt": "broken\n" },
      {
        main: [
          { text: "All done." },
          { tools: [bash("echo fixed > state.txt; loop done")] },
          { text: "Now it is." },
        ],
      },
    );
    const plugin = join(world.home, "plugin");
    cpSync(PLUGIN, plugin, { recursive: true });
    rmSync(join(plugin, "dist", "hook.sh"));
    const check = "fixed=grep -q fixed state.txt";
    world.loop("start", "Fix it", "-c", check, "--shape", "tool", "--session", session);
    const refused = await world.claude({ prompt: "/loop:pause", pluginDir: plugin, sessionId: session });
    expect(refused.stdout).toContain("may only be run by the user, in their own terminal");
    expect(world.loops()).toMatchObject([{ phase: "active", iteration: 0 }]);

    const run = await world.claude({ prompt: "Go on", pluginDir: plugin, resume: session });
    expect(world.server.of("main")[1]?.newText).toContain("[ITERATION 1/10]");
    expect(run).toMatchObject({ exitCode: 0, result: { result: "Now it is." } });
    expect(world.loops()).toMatchObject([{ phase: "completed" }]);
  });

  test.each(["cancel", "pause", "continue"])("the model cannot call %s by itself", async (name) => {
    const world = await World.create(
      {},
      {
        main: [
          { tools: [{ name: "Skill", input: { skill: `loop:${name}` } }, bash(`loop ${name}`)] },
          { tools: [bash("loop blocked no more to do")] },
          { text: "I cannot." },
        ],
      },
    );
    const session = randomUUID();
    world.loop("start", "Fix it", "-c", "never=false", "--shape", "tool", "--session", session);
    await world.claude({ prompt: "Go on", pluginDir: PLUGIN, sessionId: session });
    expect(world.server.of("main")[1]?.toolResults).toMatchObject([{ isError: true }, { isError: true }]);
    expect(world.loops()).toMatchObject([{ phase: "paused", reason: "blocked" }]);
  });
});

test("hooks that loop install wrote hold the client as the plugin's do", async () => {
  const session = randomUUID();
  const world = await World.create(
    { "state.txt": "broken\n" },
    {
      main: [
        { text: "All done." },
        { tools: [bash(`echo fixed > state.txt; node ${CLI} done`)] },
        { text: "Now it is." },
      ],
    },
  );
  const planned = claudeCodeInstaller.planInstall({ env: { HOME: world.home }, cwd: world.project }, "user", {
    node: process.execPath,
    hook: HOOK,
  });
  if (planned.type === "refused") throw new Error(planned.why);
  expect(planned.changes.map(applyChange)).toEqual([null]);
  world.loop(
    "start",
    "Fix it",
    "-c",
    "fixed=grep -q fixed state.txt",
    "--shape",
    "tool",
    "--session",
    session,
  );
  const run = await world.claude({ prompt: "Fix it", sessionId: session });
  expect(world.server.of("main")[1]?.newText).toContain("Stop hook feedback:\n[ITERATION 1/10]");
  expect(run).toMatchObject({ exitCode: 0, stderr: "", result: { result: "Now it is." } });
  expect(world.loops()).toMatchObject([{ phase: "completed" }]);
});
