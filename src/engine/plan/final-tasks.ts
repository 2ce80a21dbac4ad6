import type { Check } from "../../core/loop/criterion.ts";
import type { Plan, PlannedTask } from "../../core/plan/plan.ts";
import { FINAL_PREFIX } from "../../core/plan/plan.ts";

/** The criteria of the whole job, as tasks at the end: each looks whether it holds, and is worked on only if it doesn't. */
export function withFinalTasks(
  plan: Plan,
  criteria: readonly { readonly name: string; readonly check: Check | null }[],
): Plan {
  const all = plan.tasks.map(({ id }) => id);
  const final = criteria.map(({ name, check }, index): PlannedTask => ({
    id: `${FINAL_PREFIX}-${index + 1}`,
    subject: name,
    description:
      "All other tasks are merged. See that this holds for the whole of it, and make it so if it doesn't.",
    check,
    proposed: null,
    blockedBy: [...all, ...(index === 0 ? [] : [`${FINAL_PREFIX}-${index}`])],
    files: [],
    estimateMs: null,
  }));
  return { ...plan, tasks: [...plan.tasks, ...final] };
}
