import type { EventOf } from "../../../core/events/event.ts";
import type { Wishes } from "../../../core/stages/stages.ts";
import type { PlanFlags } from "./plan-options.ts";
import type { WorkflowFlags } from "./workflow-options.ts";

const PARALLEL = 3;
const MOST_ROUNDS = 10;

/** What the flags say about the stages of a workflow. */
export function stagesBegun(
  flags: Pick<PlanFlags, "noModel" | "parallel" | "allowCheck"> &
    Pick<WorkflowFlags, "kind"> & { readonly checkTimeout: number },
  iterationLimit: number | null,
  { shape, keepsTests }: Pick<Wishes, "shape" | "keepsTests">,
): EventOf<"stages.begun"> & { readonly wishes: Wishes } {
  return {
    type: "stages.begun",
    policy: { asks: flags.noModel !== true, rounds: Math.min(iterationLimit ?? MOST_ROUNDS, MOST_ROUNDS) },
    wishes: {
      shape,
      kind: flags.kind ?? null,
      parallel: flags.parallel ?? PARALLEL,
      checkTimeoutMs: flags.checkTimeout,
      allowedChecks: flags.allowCheck ?? [],
      keepsTests,
    },
  };
}
