import { randomUUID } from "node:crypto";
import { existsSync, mkdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { found } from "../test/support/played-judges.ts";
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
  return printed.split(/^(?=--- [A-Z]+-\d+, attempt)/m).filter((part) => part.startsWith("--- "));
}

/** A subagent that does its task: where and what, it reads in its prompt. */
function work(request: RecordedRequest): Turn {
  const { body, toolResults } = request;
  // The client's own messages name every kind of subagent.
  const asked = JSON.stringify(body.messages.filter(({ role }) => role === "user"));
  if (asked.includes("Review the result")) return review(request);
  const [, task = "", worktree = ""] = /--- ([A-Z]+-\d+), attempt \d+, in ([^\\"\s]+)/.exec(asked) ?? [];
  const [name, content] = TOOL_EVENTS[task] ?? ["", ""];
  if (toolResults.length === 0) {
    const file_path = join(worktree, name);
    const write = { name: "Write", input: { file_path, content } };
    // The client writes over no file that it has not read.
    return { tools: existsSync(file_path) ? [{ name: "Read", input: { file_path } }, write] : [write] };
  }
  const isWritten = toolResults.some(({ text }) => text.includes(name));
  return isWritten ? { tools: [bash(`loop task done ${task}`)] } : { text: "Done." };
}

/** A reviewer that reads the brief, and holds one line against the diff while that has it. */
function review({ body, toolResults }: RecordedRequest): Turn {
  const answered = body.messages.filter(({ role }) => role === "assistant").length;
  if (answered === 0) return { tools: [bash("loop review brief")] };
  if (answered > 1) return { text: "Reviewed." };
  const isWrong = toolResults.some(({ text }) => text.includes(`+${MISSPELT}`));
  const answer = isWrong ? { score: 5, findings: [BLOCKER] } : { score: 9, findings: [] };
  const written = JSON.stringify(answer, null, 2).replaceAll("'", String.raw`'\''`);
  return { tools: [bash(`loop review record '${written}'`)] };
}

const MISSPELT = "wrold";
const BLOCKER = found("both.txt", MISSPELT, { breaks: "C-3", problem: "The world isn't spelt like that." });

const TOOL_EVENTS: { readonly [task: string]: readonly [name: string, content: string] } = {
  "T-001": ["greeting.txt", "hello\n"],
  "T-002": ["farewell.txt", "bye\n"],
  "T-003": ["both.txt", `hello\n${MISSPELT}\nbye\n`],
  "R-1": ["both.txt", "hello\nworld\nbye\n"],
};

const REVIEWER = {
  tools: [
    {
      name: "Agent",
      input: { description: "Review", prompt: "Review the result", subagent_type: "loop:reviewer" },
    },
  ],
};

test("tasks run as subagents in worktrees, wave by wave, a blocker becomes a task, and the result is delivered", async () => {
  const session = randomUUID();
  const world = await World.create(
    { "check.sh": 'grep -q "$1" "$2"\n' },
    {
      main: [
        { tools: [bash(`loop start --plan - <<'END_OF_PLAN'\n${PLAN}END_OF_PLAN`)] },
        { tools: [bash("loop task claim T-001 T-002")] },
        (request) => ({ tools: claimed(request).map(worker) }),
        { text: "The first wave is done." },
        { tools: [bash("loop task claim T-003")] },
        (request) => ({ tools: claimed(request).map(worker) }),
        { text: "All tasks are done." },
        REVIEWER,
        { text: "It is reviewed." },
        { tools: [bash("loop task claim R-1")] },
        (request) => ({ tools: claimed(request).map(worker) }),
        { text: "It is put right." },
        REVIEWER,
        { text: "All done." },
      ],
      subagents: Array.from({ length: 20 }, () => work),
    },
  );
  const worktrees = join(world.home, "state", "loopwright", "worktrees");
  mkdirSync(worktrees, { recursive: true });
  const run = await world.claude({
    prompt: "Make the shop greet",
    pluginDir: PLUGIN,
    sessionId: session,
    timeLimitMs: 240_000,
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
    expect.stringContaining("Ready: R-1."),
    expect.stringContaining("Every task is merged."),
  ]);
  expect(world.loops()[0]).toMatchObject({
    phase: "completed",
    // No check fails without the remedy.
    confidence: "weak",
    tasks: ["T-001", "T-002", "T-003", "R-1"].map((id) => ({ id, status: "completed" })),
  });
  expect(world.read("both.txt")).toBe("hello\nworld\nbye\n");
  expect(run.result?.result).toBe("All done.");
}, 300_000);
