import { closeAbandonedQuestions } from "../../asking/abandoned-questions.ts";
import type { LockedLoop } from "../../loops/locked-loop.ts";
import type { Machine } from "../../loops/machine.ts";
import { chargeAbandoned } from "../../run/abandoned-run.ts";

/** What a killed run left open won't be judged or answered any more, but it has a cost. */
export async function settleAbandoned(machine: Machine, chosen: LockedLoop): Promise<void> {
  await chargeAbandoned(machine, chosen);
  await closeAbandonedQuestions(machine, chosen.live, null);
}
