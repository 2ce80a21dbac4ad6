import { expect, onTestFailed, test } from "vitest";
import { PlanStage } from "./support/plan-stage.ts";
import {
  expectStory,
  statesWhile,
  STORY_DIRT,
  STORY_FILES,
  STORY_PLAN,
  STORY_SCRIPTS,
} from "./support/plan-story.ts";

test("eight tasks in three waves: failures, a conflict, a red merge and a deleted test, and only accepted work at the end", async () => {
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
}, 240_000);
