import { spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { claudeEnvironment, claudeProgram, runClaude } from "./claude.ts";
import { CLI, World, bash } from "./world.ts";

const create = (subject: string) => ({ name: "TaskCreate", input: { subject, description: subject } });
const complete = (taskId: string) => ({ name: "TaskUpdate", input: { taskId, status: "completed" } });
const START = `loop start "Dig and fill" --exit-rule tasks --shape tool`;
/** Newer models are not offered the tools otherwise. */
const TOOLS = { CLAUDE_CODE_ENABLE_TODO_TOOLS: "1" };

test("a list of tasks that was begun in Claude Code is finished by loop run with Claude Code", async () => {
  const world = await World.create(
    { "README.md": "A project\n" },
    {
      main: [
        { tools: [bash(START)] },
        { tools: [create("Dig"), create("Fill")] },
        { tools: [complete("1"), bash("loop blocked out of ideas")] },
        { text: "I am stuck." },
        { tools: [complete("2")] },
        { text: "All of it is done." },
      ],
    },
  );
  const session = randomUUID();
  const { project, home, server } = world;
  await runClaude({
    ...{ project, home, server, env: TOOLS, sessionId: session },
    prompt: "/loop:start Dig and fill",
    pluginDir: join(dirname(CLI), "plugin"),
  });
  const [before] = world.loops();
  expect(before).toMatchObject({ phase: "paused", reason: "blocked", session });

  const environment = claudeEnvironment(home, server);
  const child = spawn(
    process.execPath,
    [CLI, "run", "--agent", "claude-code", "--permission-mode", "bypassPermissions"],
    {
      cwd: project,
      env: { ...environment, ...TOOLS, PATH: `${dirname(claudeProgram())}:${environment["PATH"]}` },
      stdio: "ignore",
    },
  );
  // Tasks alone are nobody's evidence.
  expect(await new Promise((done) => child.on("close", done))).toBe(6);

  const [after] = world.loops();
  expect(after).toMatchObject({
    id: before?.id,
    phase: "completed",
    tasks: [
      { id: "1", subject: "Dig", status: "completed" },
      { id: "2", subject: "Fill", status: "completed" },
    ],
  });
  // Told what was left, it completed that in the list that it found.
  const [first] = server.of("main").slice(4);
  expect(first?.newText).toContain("# Tasks\n\n- [x] Dig\n- [ ] Fill\n");
  expect(server.unplayed).toBe(0);
});
