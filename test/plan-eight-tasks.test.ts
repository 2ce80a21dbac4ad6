import { setTimeout as sleep } from "node:timers/promises";
import { expect, onTestFailed, test } from "vitest";
import { DONE } from "./support/driven.ts";
import { effort, isFullEffort } from "./support/effort.ts";
import { expectCode, PlanStage, type Scripts } from "./support/plan-stage.ts";
import { leftIn } from "./support/processes-in.ts";
import {
  expectAccepted,
  expectStory,
  statesWhile,
  STORY_DIRT,
  STORY_FILES,
  STORY_PLAN,
  STORY_SCRIPTS,
} from "./support/plan-story.ts";

test.runIf(isFullEffort)(
  "eight tasks in three waves: failures, a conflict, a red merge and a deleted test, and only accepted work at the end",
  async () => {
    const stage = new PlanStage(STORY_PLAN, STORY_FILES);
    stage.write(STORY_DIRT);
    const before = stage.userState();
    const run = stage.drive(stage.working(STORY_SCRIPTS, "--parallel", "4", "--budget", "90"));
    onTestFailed(() => void process.stderr.write(`${run.out}${run.err}`));
    const seen = await statesWhile(stage, run);
    const { code, out } = await run.ended();

    expect(out).toContain("master was fast-forwarded");
    expect(code).toBe(0);
    expect(seen).toEqual([before]);
    expectStory(stage);

    // What an attempt started with is safe from garbage collection.
    for (const carry of ["T-004/1-carry", "T-006/1-carry"])
      stage.git("rev-parse", "--verify", `refs/loopwright/${stage.id}/tasks/${carry}`);

    const spent = Object.values(STORY_SCRIPTS)
      .flat()
      .reduce((sum, { usd = 0 }) => sum + usd, 0);
    expect(stage.status().find(({ id }) => id === stage.id)?.costUsd).toBeCloseTo(spent, 10);
    const rows = stage.rows();
    expect(rows).toHaveLength(stage.eventsOf("attempt.started").length);
    expect(rows.filter(({ status }) => status === "completed")).toHaveLength(8);
    expect(rows.find(({ status }) => status === "continued")).toMatchObject({
      loop: stage.id,
      step: "T-002: Do T-002",
      reason: "failed",
      cost: 0.02,
    });
    expect(rows.reduce((sum, { cost }) => sum + (cost ?? 0), 0)).toBeCloseTo(spent, 10);
    expect(stage.read(".loop/summary.md")).toContain("| T-008 |");
    expect(stage.worktrees()).toEqual([]);
    expect(stage.folders()).toEqual([]);
  },
  240_000,
);

const KILLS = effort(2, 10);
/** The story has some fifty records, and each kill comes a few of them after the last. */
const RECORDS_BETWEEN = Math.floor(40 / KILLS);

/** An agent whose last words were lost with whoever listened says them again. */
const REPEATING: Scripts = Object.fromEntries(
  Object.entries(STORY_SCRIPTS).map(([attempt, turns]) => [
    attempt,
    attempt === "T-002-1" ? turns : [...turns, { say: DONE, usd: 0 }, { say: DONE, usd: 0 }],
  ]),
);

test.runIf(isFullEffort && process.platform === "linux")(
  `killed and resumed ${KILLS} times on the way, it comes to the same`,
  async () => {
    const stage = new PlanStage(STORY_PLAN, STORY_FILES);
    stage.write(STORY_DIRT);
    const before = stage.userState();
    let args = stage.working(REPEATING, "--parallel", "4", "--budget", "90");
    for (let kill = 1; kill <= KILLS; kill += 1) {
      const run = stage.drive(args);
      while (!run.isOver && stage.recordCount() < kill * RECORDS_BETWEEN) await sleep(5);
      expect(run.isOver).toBe(false);
      run.child.kill("SIGKILL");
      await run.ended();
      expect(await leftIn(stage.home)).toEqual([]);
      expect(stage.userState()).toBe(before);
      args = ["continue"];
    }
    expectCode(await stage.drive(args).ended(), 0);
    expectAccepted(stage);
    const spent = stage.status().find(({ id }) => id === stage.id)?.costUsd;
    expect(spent).toBeCloseTo(stage.printedCosts(), 10);
  },
  600_000,
);
