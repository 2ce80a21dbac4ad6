import { randomUUID } from "node:crypto";
import { mkdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import type { RecordedRequest, Turn } from "./model-server.ts";
import { CLI, World, bash } from "./world.ts";

/** A plan inside the real client: its subagents work on tasks in worktrees, and each stop judges and merges them. */
const PLUGIN = join(dirname(CLI), "plugin");

const PLAN = `Make the shop greet

### T-001: Write the greeting
verify: sh check.sh hello greeting.txt

### T-002: Write the farewell
verify: sh check.sh bye farewell.txt

### T-003: Join both
blocked by: T-001, T-002
verify: sh check.sh hello both.txt && sh check.sh bye both.txt
`;

const worker = (prompt: string) => ({
  name: "Agent",
  input: { description: "One task", prompt, subagent_type: "loop:worker" },
});

/** What `loop task claim` printed, a part for each task. */
function claimed(request: RecordedRequest): readonly string[] {
  const printed = request.toolResults.map(({ text }) => text).join("\n");
  return printed.split(/^(?=--- T-\d+, attempt)/m).filter((part) => part.startsWith("--- "));
}

/** A subagent that does its task: where and what, it reads in its prompt. */
function work({ body, toolResults }: RecordedRequest): Turn {
  const asked = JSON.stringify(body.messages);
  if (asked.includes("Review the result")) return review(toolResults);
  const [, task = "", worktree = ""] = /--- (T-\d+), attempt \d+, in ([^\\"\s]+)/.exec(asked) ?? [];
  const [name, content] = DEEDS[task] ?? ["", ""];
  if (toolResults.length === 0)
    return { tools: [{ name: "Write", input: { file_path: join(worktree, name), content } }] };
  const isWritten = toolResults.some(({ text }) => text.includes(name));
  return isWritten ? { tools: [bash(`loop task done ${task}`)] } : { text: "Done." };
}

/** A reviewer that reads the brief and finds nothing. */
function review(toolResults: RecordedRequest["toolResults"]): Turn {
  const read = toolResults.map(({ text }) => text).join("");
  if (toolResults.length === 0) return { tools: [bash("loop review brief")] };
  if (!read.includes("both.txt")) return { text: "Reviewed." };
  return { tools: [bash(`loop review record - <<'END'\n{"score": 9, "findings": []}\nEND`)] };
}

const DEEDS: { readonly [task: string]: readonly [name: string, content: string] } = {
  "T-001": ["greeting.txt", "hello\n"],
  "T-002": ["farewell.txt", "bye\n"],
  "T-003": ["both.txt", "hello\nbye\n"],
};

test("tasks run as subagents in worktrees, wave by wave, and the result is delivered", async () => {
  const session = randomUUID();
  const world = await World.create(
    { "PLAN.md": PLAN, "check.sh": 'grep -q "$1" "$2"\n' },
    {
      main: [
        { tools: [bash("loop start --plan PLAN.md")] },
        { tools: [bash("loop task claim T-001 T-002")] },
        (request) => ({ tools: claimed(request).map(worker) }),
        { text: "The first wave is done." },
        { tools: [bash("loop task claim T-003")] },
        (request) => ({ tools: claimed(request).map(worker) }),
        { text: "All tasks are done." },
        {
          tools: [
            {
              name: "Agent",
              input: { description: "Review", prompt: "Review the result", subagent_type: "loop:reviewer" },
            },
          ],
        },
        { text: "All done." },
      ],
      subagents: Array.from({ length: 12 }, () => work),
    },
  );
  const worktrees = join(world.home, "state", "loopwright", "worktrees");
  mkdirSync(worktrees, { recursive: true });
  const run = await world.claude({
    prompt: "Make the shop greet",
    pluginDir: PLUGIN,
    sessionId: session,
    timeLimitMs: 180_000,
    // As a user would: edits are accepted, also below the folder that \`loop start\` names.
    permissionMode: "acceptEdits",
    args: ["--allowedTools", "Bash(loop:*)", "--add-dir", worktrees],
  });

  expect({ timedOut: run.timedOut, outside: world.server.outside }).toEqual({ timedOut: false, outside: [] });
  const asked = world.server.of("main").filter(({ sessionId }) => sessionId === session);
  const holds = asked.filter(({ newText }) => newText.includes("Stop hook feedback:"));
  expect(holds.map(({ newText }) => newText)).toEqual([
    expect.stringContaining("Ready: T-003."),
    expect.stringContaining("Every task is merged."),
  ]);
  expect(world.loops()[0]).toMatchObject({
    phase: "completed",
    confidence: "verified",
    tasks: [{ status: "completed" }, { status: "completed" }, { status: "completed" }],
  });
  expect(world.read("both.txt")).toBe("hello\nbye\n");
  expect(run.result?.result).toBe("All done.");
});
