import { readdirSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFailed, test } from "vitest";
import { expectCode, plan, writes, type Scripts } from "../test/support/plan-stage.ts";
import { claudeCodeAgent } from "./agents/claude-code.ts";
import { runClaude } from "./claude.ts";
import { ModelServer, type Turn } from "./model-server.ts";
import { PlanWorld, talkOf } from "./plan-world.ts";

/** Newer models are not offered the tools otherwise. */
const ENV = { CLAUDE_CODE_TASK_LIST_ID: "the garden", CLAUDE_CODE_ENABLE_TODO_TOOLS: "1" };

const create = (subject: string, description: string) => ({
  name: "TaskCreate",
  input: { subject, description },
});
const LIST = { name: "TaskList", input: {} };

const SCRIPTS: Scripts = { "T-001": [writes("dig.txt")], "T-002": [writes("fill.txt")] };

/** What a session in Claude Code itself does with the list; returns what its tools answered. */
async function inClaudeCode(world: PlanWorld, ...turns: readonly Turn[]): Promise<readonly string[]> {
  return inListOf(world, ENV.CLAUDE_CODE_TASK_LIST_ID, ...turns);
}

async function inListOf(
  world: PlanWorld,
  list: string,
  ...turns: readonly Turn[]
): Promise<readonly string[]> {
  const server = await ModelServer.start({ main: [...turns, { text: "Done." }] });
  try {
    const { project, home } = { project: world.root, home: world.home };
    const env = { ...ENV, CLAUDE_CODE_TASK_LIST_ID: list };
    await runClaude({ project, home, server, prompt: "See to the tasks", env });
    return server.of("main").flatMap(({ toolResults }) => toolResults.map(({ text }) => text));
  } finally {
    await server.close();
  }
}

test("a task list that Claude Code made is worked on as a plan, and Claude Code sees what is done", async () => {
  const world = new PlanWorld("");
  await world.use(claudeCodeAgent, talkOf(SCRIPTS));
  await inClaudeCode(
    world,
    {
      tools: [
        create("Dig", "Verify: test -f dig.txt"),
        create("Fill", "Verify: test -f fill.txt"),
        create("Rest", "This is for later."),
      ],
    },
    { tools: [{ name: "TaskUpdate", input: { taskId: "2", addBlockedBy: ["1"] } }] },
    { tools: [{ name: "TaskUpdate", input: { taskId: "3", status: "deleted" } }] },
    { tools: [create("Look again", "Verify: test -f fill.txt")] },
    { tools: [{ name: "TaskUpdate", input: { taskId: "4", status: "completed" } }] },
  );

  const planned = await world.driveAgents("plan", "tasks:the garden", "--json").ended();
  const { digest, tasks } = JSON.parse(planned.out) as { digest: string; tasks: readonly { id: string }[] };
  expect(tasks).toMatchObject([{ id: "T-001" }, { id: "T-002", blockedBy: ["T-001"] }]);
  const run = world.driveAgents(
    ...["run", "--plan", "tasks:the garden", "--plan-digest", digest, "--no-model"],
    ...["--agent", "claude-code", ...claudeCodeAgent.permissive],
  );
  onTestFailed(() => void process.stderr.write(`${run.out}${run.err}`));
  expectCode(await run.ended(), 0);
  expect(run.err).toBe("");
  expect(world.tasksOn("master")).toEqual(["T-001", "T-002"]);

  const [seen] = await inClaudeCode(world, { tools: [LIST] });
  expect(seen).toMatch(/#1 \[completed\] Dig/);
  expect(seen).toMatch(/#2 \[completed\] Fill/);
  // The next task gets the number that Claude Code itself would have given it.
  const [added] = await inClaudeCode(world, { tools: [create("Sow", "")] });
  expect(added).toContain("#5");
}, 600_000);

test("a plan that loop wrote into a new list is a task list of Claude Code's own", async () => {
  const world = new PlanWorld(plan(["T-001", "test -f dig.txt"], ["T-002", "test -f fill.txt", "T-001"]));
  // It gets as far as the list: then its setup fails.
  const stops = ["--setup", "exit 1", "--no-model", "-c", "both=test -f fill.txt"];
  expectCode(world.loop(...world.working(SCRIPTS, "--task-list", "new", ...stops)), 4);
  const [list = ""] = readdirSync(join(world.home, ".claude", "tasks"));

  const [listed, first, added, updated, again] = await inListOf(
    world,
    list,
    { tools: [LIST] },
    { tools: [{ name: "TaskGet", input: { taskId: "1" } }] },
    { tools: [create("Sow", "")] },
    { tools: [{ name: "TaskUpdate", input: { taskId: "1", status: "completed" } }] },
    { tools: [LIST] },
  );
  expect(listed).toMatch(/#1 \[pending\] Do T-001\n#2 \[pending\] Do T-002 \[blocked by #1\]/);
  expect(listed).toMatch(/#3 \[pending\] both \[blocked by #1, #2\]/);
  expect(first).toContain("Verify: test -f dig.txt");
  expect(added).toContain("#4");
  expect(updated).toContain("#1");
  expect(again).toMatch(/#1 \[completed\] Do T-001\n#2 \[pending\] Do T-002\n/);
}, 600_000);
