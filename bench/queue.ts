import { chance, smooth } from "../test/support/workflow-scenario.ts";
import { play, tell } from "./makespan.ts";
import { write } from "./measure.ts";
import type { TimedPlan } from "./random-plan.ts";
import { randomPlan } from "./random-plan.ts";
import { unqueuedTime } from "./unqueued.ts";

const PLANS = 60;
const PARALLEL = 4;
/** How often two results are green alone and red together: one result in thirty or so is sent back. */
const RED = 0.005;

/**
 * The merge queue with slow checks, over merging one result after the other; below it, what would be left if no result ever waited for
 * the checks of another.
 */
export async function benchQueue(): Promise<void> {
  const plans = Array.from({ length: PLANS }, (_, index) => randomPlan(index + 1));
  const independent = plans.map((plan) => ({
    ...plan,
    tasks: plan.tasks.map((task) => ({ ...task, blockedBy: [] })),
  }));
  write(`\n${PLANS} random plans, ${PARALLEL} agents, slow checks: time over that of merging one by one`);
  const twiceTogether = 2 / PARALLEL;
  show("independent tasks, 2 × as slow as all agents", independent, twiceTogether, "≤ 0.75");
  show("tasks with blockers, 2 × as slow as all", plans, twiceTogether, "");
  show("independent tasks, 2 × as long as an attempt", independent, 2, "≤ 0.75");
  show("tasks with blockers, 2 × as long", plans, 2, "≤ 0.75");
  show("independent tasks, half as slow as all agents", independent, 0.5 / PARALLEL, "1");
}

/** `slowness`: how long the checks of a merge take, in attempts. */
function show(name: string, plans: readonly TimedPlan[], slowness: number, aim: string): void {
  const measured = plans.map((plan, seed) => measure(plan, seed, slowness));
  tell(
    name,
    measured.map(({ queue, oneByOne }) => queue / oneByOne),
    aim,
  );
  tell(
    "  without any queue",
    measured.map(({ unqueued, oneByOne }) => unqueued / oneByOne),
    "",
  );
}

function measure(
  plan: TimedPlan,
  seed: number,
  slowness: number,
): { readonly queue: number; readonly oneByOne: number; readonly unqueued: number } {
  const { tasks, lengthOf } = plan;
  const work = tasks.reduce((sum, { id }) => sum + lengthOf(id), 0);
  const checkMs = (slowness * work) / tasks.length;
  const timeOf = (mostTogether: number): number =>
    play(
      smooth(tasks, {
        parallel: PARALLEL,
        mostTogether,
        attemptLimit: 50,
        checkMs,
        isRedTogether: (task, number, other) => chance(seed, "red", task, number, other) < RED,
        attempt: (task) => ({ ms: lengthOf(task), turnsUsd: [], setback: null }),
      }),
    );
  return {
    queue: timeOf(Number.POSITIVE_INFINITY),
    oneByOne: timeOf(1),
    unqueued: unqueuedTime(plan, PARALLEL, checkMs),
  };
}
