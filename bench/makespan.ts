import { inWaves, remainingPaths } from "../src/core/plan/graph.ts";
import type { PlannedTask } from "../src/core/plan/plan.ts";
import { START } from "../test/support/loop-builders.ts";
import { SimulatedWorkflow } from "../test/support/simulated-workflow.ts";
import type { Scenario } from "../test/support/workflow-scenario.ts";
import { smooth } from "../test/support/workflow-scenario.ts";
import { median, write } from "./measure.ts";
import type { TimedPlan } from "./random-plan.ts";
import { randomPlan } from "./random-plan.ts";

const PLANS = 100;
const PARALLEL = [2, 4, 8] as const;

type Way = (plan: TimedPlan, parallel: number) => number;

const WAYS: readonly { readonly name: string; readonly aim: string; readonly way: Way }[] = [
  {
    name: "how long each task takes is known",
    aim: "≤ 1.05",
    way: (plan, parallel) => timeOf(timed(plan), plan, parallel),
  },
  { name: "nothing is known", aim: "≤ 1.12", way: (plan, parallel) => timeOf(plan.tasks, plan, parallel) },
  {
    name: "strict waves, known",
    aim: "",
    way: (plan, parallel) => timeOf(inStrictWaves(timed(plan)), plan, parallel),
  },
  { name: "one by one", aim: "", way: (plan) => timeOf(plan.tasks, plan, 1) },
];

/** How long random plans take, over the least that any order could: their longest chain, or all work shared evenly. */
export async function benchMakespan(): Promise<void> {
  const plans = Array.from({ length: PLANS }, (_, index) => randomPlan(index + 1));
  for (const parallel of PARALLEL) {
    write(`\n${PLANS} random plans, ${parallel} agents at once: time over the least possible`);
    for (const { name, aim, way } of WAYS) {
      const ratios = plans.map((plan) => way(plan, parallel) / leastTime(plan, parallel));
      tell(name, ratios, aim);
    }
  }
}

/** `what  median  worst  (aim: …)`. */
export function tell(name: string, ratios: readonly number[], aim: string): void {
  const figures = [median(ratios), Math.max(...ratios)].map((figure) => figure.toFixed(2).padStart(7));
  write(`  ${name.padEnd(44)} ${figures[0]}×  worst ${figures[1]}×${aim === "" ? "" : `  (aim: ${aim})`}`);
}

/** How long the simulated plan takes until its last task is merged. */
export function play(scenario: Scenario): number {
  const world = new SimulatedWorkflow(scenario, () => undefined);
  const { phase } = world.run();
  if (phase !== "completed") throw new Error(`a plan ended ${phase}`);
  return world.now - START;
}

function timeOf(tasks: readonly PlannedTask[], { lengthOf }: TimedPlan, parallel: number): number {
  const attempt = (task: string) => ({ ms: lengthOf(task), turnsUsd: [], setback: null });
  return play(smooth(tasks, { parallel, attempt }));
}

function timed({ tasks, lengthOf }: TimedPlan): readonly PlannedTask[] {
  return tasks.map((task) => ({ ...task, estimateMs: lengthOf(task.id) }));
}

/** Each task waits for all of the wave before it. */
function inStrictWaves(tasks: readonly PlannedTask[]): readonly PlannedTask[] {
  const waves = inWaves(tasks);
  return waves.flatMap((wave, index) => {
    const blockedBy = waves[index - 1]?.map(({ id }) => id) ?? [];
    return wave.map((task) => ({ ...task, blockedBy }));
  });
}

function leastTime({ tasks, lengthOf }: TimedPlan, parallel: number): number {
  const work = tasks.reduce((sum, { id }) => sum + lengthOf(id), 0);
  const longest = Math.max(...remainingPaths(tasks, ({ id }) => lengthOf(id)).values());
  return Math.max(longest, work / parallel);
}
