import { expect, onTestFailed, test } from "vitest";
import { until } from "../test/support/patience.ts";
import { expectCode, plan, writes, type Scripts } from "../test/support/plan-stage.ts";
import { claudeCodeAgent } from "./agents/claude-code.ts";
import { codexAgent } from "./agents/codex.ts";
import { attemptOf, PlanWorld, talkOf } from "./plan-world.ts";

const PLAN = plan(
  ["T-001", "test -f one.txt"],
  ["T-002", "test -f two.txt"],
  ["T-003", "test -f three.txt", "T-001"],
  ["T-004", "test -f four.txt", "T-001"],
  ["T-005", "test -f two.txt && test -f four.txt && test -f five.txt", "T-002", "T-003", "T-004"],
);

const SCRIPTS: Scripts = {
  "T-001": [writes("one.txt")],
  "T-002": [writes("two.txt")],
  "T-003": [writes("three.txt")],
  "T-004": [writes("four.txt")],
  "T-005": [writes("five.txt")],
};

const LIMIT_SECONDS = 60;

test("Claude Code and Codex work on one plan side by side, once Claude Code has met its usage limit", async () => {
  const world = new PlanWorld(PLAN);
  const played = talkOf(SCRIPTS);
  /** Which agent answered for which attempt. */
  const asked: string[] = [];
  const isCodexAtWork = (): boolean => asked.some((each) => each.startsWith("codex "));

  await world.use(claudeCodeAgent, async (conversation) => {
    const attempt = attemptOf(conversation);
    asked.push(`claude-code ${attempt}`);
    if (attempt === "T-002-1") return { fail: 429, headers: { "retry-after": String(LIMIT_SECONDS) } };
    // What it has begun goes on beside the other agent.
    if (attempt === "T-001-1") await until(isCodexAtWork, "Codex works beside it");
    return played(conversation);
  });
  await world.use(codexAgent, async (conversation) => {
    asked.push(`codex ${attemptOf(conversation)}`);
    return played(conversation);
  });
  const run = world.driveAgents(...world.plan("--agent", "claude-code", "--fallback", "codex"));
  onTestFailed(() => void process.stderr.write(`${run.out}${run.err}`));
  expectCode(await run.ended(), 0);

  // The attempt that met the limit is handed over, and keeps its number.
  expect(new Set(asked)).toEqual(
    new Set([...asked, "claude-code T-001-1", "claude-code T-002-1", "codex T-002-1"]),
  );
  expect(asked.filter((each) => each.endsWith("T-001-1")).every((each) => each.startsWith("claude"))).toBe(
    true,
  );
  expect(world.setbacks()).toEqual([]);
  expect(world.tasksOn("master").toSorted()).toEqual(["T-001", "T-002", "T-003", "T-004", "T-005"]);
  expect(world.git("ls-files").trim().split("\n")).toEqual([
    "README.md",
    ...["five.txt", "four.txt", "one.txt", "three.txt", "two.txt"],
  ]);
  expect(world.git("status", "--porcelain")).toBe("");
  expect(world.worktrees()).toEqual([]);
  expect(await world.processesLeft()).toEqual([]);
}, 600_000);
