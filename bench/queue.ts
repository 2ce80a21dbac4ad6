import { chance, smooth } from "../test/support/workflow-scenario.ts";
import { play, tell } from "./makespan.ts";
import { write } from "./measure.ts";
import type { TimedPlan } from "./random-plan.ts";
import { randomPlan } from "./random-plan.ts";

const PLANS = 60;
const PARALLEL = 4;
/** How often two results are green alone and red together: one result in thirty or so is sent back. */
const RED = 0.005;

/** The merge queue with slow checks, over merging one result after the other. */
export async function benchQueue(): Promise<void> {
  const plans = Array.from({ length: PLANS }, (_, index) => randomPlan(index + 1));
  const independent = plans.map((plan) => ({
    ...plan,
    tasks: plan.tasks.map((task) => ({ ...task, blockedBy: [] })),
  }));
  write(`\n${PLANS} random plans, ${PARALLEL} agents, slow checks: time over that of merging one by one`);
  const twiceTogether = 2 / PARALLEL;
  tell("independent tasks, 2 × as slow as all agents", independent.map(ratioAt(twiceTogether)), "≤ 0.75");
  tell("tasks with blockers, 2 × as slow as all", plans.map(ratioAt(twiceTogether)), "");
  tell("independent tasks, 2 × as long as an attempt", independent.map(ratioAt(2)), "≤ 0.75");
  tell("tasks with blockers, 2 × as long", plans.map(ratioAt(2)), "≤ 0.75");
  tell("independent tasks, half as slow as all agents", independent.map(ratioAt(0.5 / PARALLEL)), "1");
}

/** `slowness`: how long the checks of a merge take, in attempts. */
function ratioAt(slowness: number): (plan: TimedPlan, seed: number) => number {
  return ({ tasks, lengthOf }, seed) => {
    const mean = tasks.reduce((sum, { id }) => sum + lengthOf(id), 0) / tasks.length;
    const [queue, oneByOne] = [Number.POSITIVE_INFINITY, 1].map((mostTogether) =>
      play(
        smooth(tasks, {
          parallel: PARALLEL,
          mostTogether,
          attemptLimit: 50,
          checkMs: slowness * mean,
          isRedTogether: (task, number, other) => chance(seed, "red", task, number, other) < RED,
          attempt: (task) => ({ ms: lengthOf(task), costs: 0, setback: null }),
        }),
      ),
    );
    return (queue ?? Number.NaN) / (oneByOne ?? Number.NaN);
  };
}
