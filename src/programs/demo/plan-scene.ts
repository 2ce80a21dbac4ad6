import { decidedByPolicy } from "../../core/questions/review/counted-findings.ts";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setLimits } from "../../engine/opening/limits.ts";
import { openLoop } from "../../engine/opening/open-loop.ts";
import { NO_MIRROR } from "../../engine/plan/plan-mirror.ts";
import type { Loop } from "../../core/loop/loop.ts";
import type { KnownLoop } from "../../storage/loops/known-loop.ts";
import type { Machine } from "../../storage/loops/machine.ts";
import { planned } from "../../core/plan-files/drafted-plan.ts";
import { readPlan } from "../../core/plan-files/plan-text.ts";
import { rehearsalOf, type AgentChoice } from "../../engine/run/agent-choice.ts";
import { driveWorkflow } from "../../engine/plan/drive-workflow.ts";
import type { WorkflowRequest } from "../../engine/plan/take-workflow.ts";
import type { WorkflowNews } from "../../views/news/news.ts";
import type { DemoStage } from "./stage.ts";
import type { Script } from "../../agents/rehearsal/script.ts";

/** A scene in which a plan is worked on. */
export interface PlanDemo extends DemoStage {
  /** Before anything happens in it. */
  readonly onLoop: (loop: KnownLoop) => void;
  readonly tell: (news: WorkflowNews) => void;
}

const CHECK_LIMIT_MS = 30_000;

/** The played agent, by task and attempt. */
export function scriptsIn(stage: string, played: { readonly [attempt: string]: Script }): AgentChoice {
  const scripts = join(stage, "scripts");
  mkdirSync(scripts);
  for (const [attempt, script] of Object.entries(played))
    writeFileSync(join(scripts, `${attempt}.json`), JSON.stringify(script));
  return rehearsalOf(scripts);
}

export async function openScene(
  machine: Machine,
  scene: {
    readonly spec: string;
    readonly plan: string;
    readonly parallel: number;
    readonly attemptUsd: number | null;
  },
): Promise<KnownLoop> {
  const { parallel, attemptUsd } = scene;
  const plan = planned(readPlan(scene.plan), { isApproved: () => true, timeoutMs: CHECK_LIMIT_MS });
  return openLoop(machine, {
    kind: "plan",
    spec: scene.spec,
    mustNots: [],
    protects: [],
    mode: "loop",
    shape: "tool",
    limits: setLimits({}, {}, null),
    proof: "standard",
    proofBudgetMs: null,
    mayChange: [],
    binding: null,
    plan: { type: "plan.adopted", plan, parallel, attemptLimit: 3, attemptUsd },
  });
}

export async function driveScene(
  machine: Machine,
  chosen: KnownLoop,
  scene: Pick<WorkflowRequest, "choice" | "executor" | "workspace"> & { readonly demo: PlanDemo },
): Promise<Loop> {
  const { demo, choice, executor, workspace } = scene;
  return driveWorkflow(machine, chosen, {
    ...{ choice, executor, workspace },
    agents: [choice.driver],
    areCapped: false,
    parallel: () => null,
    deliversDone: false,
    cli: demo.cli,
    interrupts: demo.interrupts,
    mirror: NO_MIRROR,
    overlap: () => false,
    goesOn: null,
    decide: async ({ findings, again }) => decidedByPolicy(findings, again, "tasks"),
    tell: demo.tell,
  });
}

/** A test of one statement, that says what it found. */
export function testOf(imports: string, asked: string, expected: string): string {
  return `${imports}

const expected = ${expected};
let found;
try {
  found = ${asked};
} catch (error) {
  found = error.message;
}
if (found !== expected) {
  console.log(\`FAILED: expected \${expected}, got \${found}\`);
  process.exitCode = 1;
}
`;
}

export type Acts = Script["turns"][number]["do"];

export function turn(say: string, usd: number, acts: Acts): Script {
  const block = "\n\n---LOOP_STATUS---\nEXIT_SIGNAL: true\n---END_STATUS---";
  return {
    repeat: false,
    turns: [
      { do: [{ wait: 500 }, ...acts], say: `${say}${block}`, usd, tokens: { input: 8_000, output: 400 } },
    ],
  };
}
