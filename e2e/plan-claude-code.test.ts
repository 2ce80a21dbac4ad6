import { setTimeout as sleep } from "node:timers/promises";
import { expect, onTestFailed, test } from "vitest";
import { DONE } from "../test/support/driven.ts";
import { expectCode, plan, untilMerged, writes, type Scripts } from "../test/support/plan-stage.ts";
import {
  expectStory,
  statesWhile,
  STORY_DIRT,
  STORY_FILES,
  STORY_PLAN,
  STORY_SCRIPTS,
} from "../test/support/plan-story.ts";
import { claudeCodeAgent } from "./agents/claude-code.ts";
import { PlanWorld, talkOf } from "./plan-world.ts";

const CLAUDE = ["--agent", "claude-code", ...claudeCodeAgent.permissive];

test("Claude Code works on eight tasks in three waves, and only accepted work is on the branch at the end", async () => {
  const world = new PlanWorld(STORY_PLAN, STORY_FILES);
  await world.use(claudeCodeAgent, talkOf(STORY_SCRIPTS));
  world.write(STORY_DIRT);
  const before = world.userState();
  const run = world.driveAgents(...world.plan(...CLAUDE, "--parallel", "4"));
  onTestFailed(() => void process.stderr.write(`${run.out}${run.err}`));
  const seen = await statesWhile(world, run);
  const { code } = await run.ended();

  expect(code).toBe(0);
  expect(seen).toEqual([before]);
  expectStory(world);
  expect(await world.processesLeft()).toEqual([]);
}, 600_000);

const SHORT_PLAN = plan(
  ["T-001", "test -f one.txt"],
  ["T-002", "grep -qx two list.txt"],
  ["T-003", "grep -qx three list.txt"],
  ["T-004", "test -f four.txt", "T-001", "T-002"],
);

const SHORT_SCRIPTS: Scripts = {
  "T-001": [writes("one.txt")],
  "T-002": [writes("list.txt", "the list\ntwo\n")],
  "T-003-1": [
    { do: [{ run: untilMerged("T-002") }, { write: "list.txt", text: "the list\nthree\n" }], say: DONE },
  ],
  "T-003-2": [
    {
      do: [{ run: "grep -q '^<<<<<<<' list.txt; printf 'the list\\ntwo\\nthree\\n' > list.txt" }],
      say: DONE,
    },
  ],
  "T-004": [writes("four.txt")],
};

test("a run of Claude Code that is killed again and again goes on, and does nothing twice", async () => {
  const world = new PlanWorld(SHORT_PLAN, { "list.txt": "the list\n" });
  await world.use(claudeCodeAgent, talkOf(SHORT_SCRIPTS));
  let args = world.plan(...CLAUDE);
  for (const [event, count] of [
    ["attempt.started", 2],
    ["attempt.finished", 1],
    ["merge.begun", 2],
    ["attempt.started", 5],
  ] as const) {
    const run = world.driveAgents(...args);
    const isThere = (): boolean => world.workflows.length > 0 && world.eventsOf(event).length >= count;
    while (!run.isOver && !isThere()) await sleep(10);
    run.child.kill("SIGKILL");
    await run.ended();
    expect(await world.processesLeft()).toEqual([]);
    args = ["continue"];
  }
  const last = world.driveAgents("continue");
  expectCode(await last.ended(), 0);

  expect(world.git("rev-parse", "master")).toBe(world.git("rev-parse", `loop/${world.id}`));
  expect(world.tasksOn("master").toSorted()).toEqual(["T-001", "T-002", "T-003", "T-004"]);
  expect(world.git("ls-files").trim().split("\n")).toEqual(["README.md", "four.txt", "list.txt", "one.txt"]);
  expect(world.read("list.txt")).toBe("the list\ntwo\nthree\n");
  expect(world.setbacks()).toEqual(["T-003 conflict"]);
  expect(world.git("status", "--porcelain")).toBe("");
  expect(world.worktrees()).toEqual([]);
  expect(world.folders()).toEqual([]);
  expect(await world.processesLeft()).toEqual([]);
}, 600_000);
