import { decidedByPolicy } from "../../core/questions/review/decided.ts";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setLimits } from "../../engine/opening/limits.ts";
import { openLoop } from "../../engine/opening/open-loop.ts";
import { NO_MIRROR } from "../../engine/plan/plan-mirror.ts";
import type { Loop } from "../../core/loop.ts";
import type { LockedLoop } from "../../storage/loops/locked-loop.ts";
import type { Machine } from "../../storage/loops/machine.ts";
import { planned } from "../../core/plan-files/planned.ts";
import { readPlan } from "../../core/plan-files/read-plan.ts";
import { rehearsalOf } from "../../engine/run/agent-choice.ts";
import { attemptChoice } from "../../engine/plan/attempt-choice.ts";
import { driveWorkflow } from "../../engine/plan/drive-workflow.ts";
import { gitWorkshop } from "../../engine/plan/git-workshop.ts";
import { localExecutor } from "../../engine/plan/local-executor.ts";
import type { WorkflowNews } from "../../views/news/workflow-news.ts";
import { DEMO_PLAN, PLAN_FILES } from "./plan-project.ts";
import { PLAN_SCRIPTS } from "./plan-scripts.ts";
import type { DemoStage } from "./stage.ts";
import { onStage } from "./stage.ts";

interface PlanDemo extends DemoStage {
  /** Before anything happens in it. */
  readonly onLoop: (loop: LockedLoop) => void;
  readonly tell: (news: WorkflowNews) => void;
}

const CHECK_LIMIT_MS = 30_000;

/** Plays a whole plan on a sample project: real worktrees, merges and checks. Only the agents are played. */
export async function playPlanDemo(demo: PlanDemo): Promise<Loop> {
  return onStage(demo, PLAN_FILES, async (machine, stage) => play(machine, stage, demo));
}

async function play(machine: Machine, stage: string, demo: PlanDemo): Promise<Loop> {
  const scripts = join(stage, "scripts");
  mkdirSync(scripts);
  for (const [attempt, script] of Object.entries(PLAN_SCRIPTS))
    writeFileSync(join(scripts, `${attempt}.json`), JSON.stringify(script));
  const plan = planned(readPlan(DEMO_PLAN), { isApproved: () => true, timeoutMs: CHECK_LIMIT_MS });
  const chosen = await openLoop(machine, {
    kind: "plan",
    spec: "Make the cart of the corner shop right",
    mustNots: [],
    protects: [],
    mode: "loop",
    shape: "tool",
    limits: setLimits({}, {}, null, { kind: "person" }),
    proof: "standard",
    mayChange: [],
    binding: null,
    plan: { type: "plan.adopted", plan, parallel: 2, attemptLimit: 3, attemptUsd: null },
  });
  demo.onLoop(chosen);
  const { project } = chosen.live;
  const how = { setup: null, copies: [], diskBytes: Number.POSITIVE_INFINITY };
  const workshop = gitWorkshop({ machine, project, loop: chosen.id, folder: "", how });
  const choice = rehearsalOf(scripts);
  return driveWorkflow(machine, chosen, {
    choice,
    agents: [choice.driver],
    areCapped: false,
    parallel: null,
    cli: demo.cli,
    interrupts: demo.interrupts,
    executor: localExecutor({
      machine,
      project,
      cli: demo.cli,
      workshop,
      choiceFor: (envelope) => attemptChoice(choice, envelope),
    }),
    workshop,
    mirror: NO_MIRROR,
    overlap: () => false,
    goesOn: null,
    decide: async ({ findings, again }) => decidedByPolicy(findings, again, "tasks"),
    tell: demo.tell,
  });
}
