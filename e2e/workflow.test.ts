import { existsSync, writeFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, onTestFailed, test } from "vitest";
import type { Driving } from "../test/support/driven.ts";
import { isFullEffort } from "../test/support/effort.ts";
import {
  LOSES_RETURNS,
  STAGES_AFTER_SHAPE,
  WHOLE_FILES,
  WHOLE_SCRIPTS,
  answerQuestions,
  expectTold,
  goOn,
  type Moment,
} from "../test/support/whole-story.ts";
import type { Conversation, Talk } from "./agents/agent.ts";
import { claudeCodeAgent } from "./agents/claude-code.ts";
import { PlanWorld, talkOf } from "./plan-world.ts";

class WorkflowWorld extends PlanWorld {
  override get workflows(): readonly string[] {
    return this.staged;
  }
}

/** Words of each question, and the script that has its answer. */
const QUESTIONS: readonly (readonly [words: string, script: string])[] = [
  ["Score this spec in five dimensions", "score"],
  ["A person wants work done in this project", "intent"],
  ["Work will be done in this project for the spec below", "shape"],
  ["Split this work into tasks", "decompose"],
  ["Say how the next attempt goes about it differently", "counsel"],
  ["Take a quick look at this diff", "light-review"],
];

function questionOf({ heard }: Conversation): string | null {
  // A reviewer knows the diff alone.
  if (heard.includes("Review this diff against what was asked"))
    return heard.includes(`+    ${LOSES_RETURNS}`) ? "review-1" : "review-2";
  return QUESTIONS.find(([words]) => heard.includes(words))?.[1] ?? null;
}

/** Answers questions as the client takes answers, and works on tasks; waits at the shape, as a rehearsal does. */
function talkIn(world: PlanWorld): Talk {
  const work = talkOf(WHOLE_SCRIPTS);
  return async (conversation) => {
    const question = questionOf(conversation);
    if (question === null) return work(conversation);
    if (question === "shape") {
      writeFileSync(world.mark("shape.here"), "");
      while (!existsSync(world.mark("shape.go"))) await sleep(50);
    }
    const said = WHOLE_SCRIPTS[question]?.[0]?.say ?? "{}";
    return { answer: JSON.parse(said) as { readonly [name: string]: unknown } };
  };
}

const USUAL_KILLS: readonly Moment[] = [
  ["counsel.given", 1],
  ["plan.extended", 1],
];

test("Claude Code is asked about a vague spec, and brings it through every stage to its completion", async () => {
  const world = new WorkflowWorld("", WHOLE_FILES);
  await world.use(claudeCodeAgent, talkIn(world));
  const agent = ["--agent", "claude-code", ...claudeCodeAgent.permissive];
  const drive = (...args: readonly string[]): Driving => {
    const run = world.driveAgents(...args);
    onTestFailed(() => void process.stderr.write(`${run.out}${run.err}`));
    return run;
  };
  const story = { stage: world, agent, env: world.agentsEnv, drive };
  await answerQuestions(story);
  const { out } = await goOn(story, isFullEffort ? STAGES_AFTER_SHAPE : USUAL_KILLS);

  expectTold(story);
  expect(out).toMatch(/<loop-complete>[^]*🟢 SHIP[^]*Review: passed, 9\/10 in round 2[^]*<\/loop-complete>/);
  expect(await world.processesLeft()).toEqual([]);
}, 600_000);
