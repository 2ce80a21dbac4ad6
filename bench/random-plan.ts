import type { PlannedTask } from "../src/core/plan/plan.ts";
import { planned } from "../test/support/workflow-builders.ts";
import { chance } from "../test/support/workflow-scenario.ts";

const MINUTE = 60_000;

export interface TimedPlan {
  readonly tasks: readonly PlannedTask[];
  readonly lengthOf: (task: string) => number;
}

/** A plan of 8 to 40 tasks in some levels, each with up to three blockers, whose attempts take 1 to 30 minutes. */
export function randomPlan(seed: number): TimedPlan {
  const count = 8 + Math.floor(chance(seed, "count") * 33);
  const width = 2 + Math.floor(chance(seed, "width") * 8);
  const idOf = (index: number): string => `T-${String(index + 1).padStart(3, "0")}`;
  const tasks = Array.from({ length: count }, (_, index) => {
    const level = Math.floor(index / width);
    const blockers = level === 0 ? 0 : Math.floor(chance(seed, "blockers", index) * 4);
    const blockedBy = Array.from({ length: blockers }, (_each, which) => {
      const back = 1 + Math.floor(chance(seed, "back", index, which) * Math.min(2 * width, level * width));
      return idOf(Math.max(0, Math.min(index - 1, level * width - back)));
    });
    return planned(idOf(index), [...new Set(blockedBy)]);
  });
  return {
    tasks,
    // As agents' turns are: many short ones, a few long ones.
    lengthOf: (task) => Math.round(MINUTE * 30 ** chance(seed, "length", task)),
  };
}
