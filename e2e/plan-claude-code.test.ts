import { setTimeout as sleep } from "node:timers/promises";
import { expect, onTestFailed, test } from "vitest";
import { effort } from "../test/support/effort.ts";
import { expectCode } from "../test/support/plan-stage.ts";
import {
  expectAccepted,
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

/** Moments at which everything is killed, in the order in which they come; a few of them unless all are asked for. */
const MOMENTS = [
  ["attempt.started", 1],
  ["attempt.started", 3],
  ["attempt.finished", 1],
  ["merge.begun", 2],
  ["merge.ended", 3],
  ["attempt.started", 6],
  ["attempt.finished", 5],
  ["attempt.started", 9],
  ["merge.ended", 7],
  ["attempt.started", 11],
] as const;
const KILLS = MOMENTS.filter((_, index) => index % effort(4, 1) === 1 % effort(4, 1));

test(`a run of Claude Code that is killed ${KILLS.length} times goes on, and does nothing twice`, async () => {
  const world = new PlanWorld(STORY_PLAN, STORY_FILES);
  await world.use(claudeCodeAgent, talkOf(STORY_SCRIPTS));
  world.write(STORY_DIRT);
  let args = world.plan(...CLAUDE, "--parallel", "4");
  let out = "";
  onTestFailed(() => void process.stderr.write(out));
  for (const [event, count] of KILLS) {
    const run = world.driveAgents(...args);
    const isThere = (): boolean => world.workflows.length > 0 && world.eventsOf(event).length >= count;
    while (!run.isOver && !isThere()) await sleep(10);
    run.child.kill("SIGKILL");
    const ran = await run.ended();
    out += `${ran.out}${ran.err}killed at ${event} ${count}\n`;
    expect(ran.code).toBeNull();
    expect(await world.processesLeft()).toEqual([]);
    args = ["continue"];
  }
  const last = await world.driveAgents("continue").ended();
  out += `${last.out}${last.err}`;
  expectCode(last, 0);
  expectAccepted(world);
  expect(await world.processesLeft()).toEqual([]);
}, 1_200_000);
