import type { Check } from "../../core/loop/criterion.ts";
import type { EventOf } from "../../core/events/event.ts";
import type { Plan } from "../../core/plan/plan.ts";
import { withFinalTasks } from "./final-tasks.ts";

const ATTEMPTS = 10;

interface Adopted {
  /** Of the whole job; they become the plan's last tasks. */
  readonly criteria: readonly { readonly name: string; readonly check: Check | null }[];
  readonly parallel: number;
  /** How many attempts a task may have; null: nobody has said. */
  readonly iterationLimit: number | null;
}

/** A plan as a loop takes it. */
export function planAdopted(
  plan: Plan,
  { criteria, parallel, iterationLimit }: Adopted,
): EventOf<"plan.adopted"> {
  return {
    type: "plan.adopted",
    plan: withFinalTasks(plan, criteria),
    parallel,
    attemptLimit: iterationLimit ?? ATTEMPTS,
    // A share of what is left, as attempts start.
    attemptUsd: null,
  };
}
