import { closeAbandonedQuestions } from "../../../engine/asking/loop-account.ts";
import { cancelLoop } from "../../../engine/lifecycle/lifecycle.ts";
import type { Loop } from "../../../core/loop/loop.ts";
import type { LockedLoop } from "../../../storage/loops/locked-loop.ts";
import { livingDriver } from "../../../storage/loops/locked-loop.ts";
import type { Machine } from "../../../storage/loops/machine.ts";
import { chargeAbandoned, noteAbandoned } from "../../../engine/run/recover-turn.ts";
import { writeArtifacts } from "../../../engine/run/artifacts.ts";
import { clearCancelledPlan } from "./cancelled-plan.ts";

/** Ends a loop for good: charges what an abandoned run left open, keeps the record, and removes what only a running loop needs. */
export async function cancelWhole(
  machine: Machine,
  chosen: LockedLoop,
  how?: Parameters<typeof cancelLoop>[2],
): Promise<Loop> {
  await noteAbandoned(chosen);
  await settleAbandoned(machine, chosen);
  const loop = await cancelLoop(machine, chosen, how);
  if (livingDriver(loop) === null) {
    await writeArtifacts(chosen.live);
    if (loop.workflow !== null) await clearCancelledPlan(machine, chosen);
  }
  return loop;
}

/** What a killed run left open won't be judged or answered any more, but it has a cost. */
export async function settleAbandoned(machine: Machine, chosen: LockedLoop): Promise<void> {
  await chargeAbandoned(machine, chosen);
  await closeAbandonedQuestions(machine, chosen.live, null);
}
