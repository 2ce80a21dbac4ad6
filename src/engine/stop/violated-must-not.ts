import { lookAtMustNots } from "../../verify/checks/must-nots.ts";
import { checkSiteOf } from "../opening/checks-of-loop.ts";
import type { LockedLoop } from "../../storage/loops/locked-loop.ts";
import type { Machine } from "../../storage/loops/machine.ts";

/** The first must-not that is currently violated, and how; null when all hold. */
export async function violatedMustNot(
  machine: Machine,
  chosen: LockedLoop,
  signal: AbortSignal,
): Promise<string | null> {
  const { live, lock } = chosen;
  const site = checkSiteOf(machine, chosen, signal);
  const findings = await lookAtMustNots(site, live.loop.mustNots, lock.mustNotFiles);
  const violated = findings.find(({ violation }) => violation !== null);
  return violated === undefined ? null : `${violated.mustNot}: ${violated.violation}`;
}
