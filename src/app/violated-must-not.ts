import { lookAtMustNots } from "../checks/must-nots.ts";
import { checkSiteOf } from "./check-site-of.ts";
import type { ChosenLoop } from "../loops/find-loop.ts";
import type { Machine } from "../loops/machine.ts";

/** The first must-not that is violated as things are now, and how; null when all hold. */
export async function violatedMustNot(
  machine: Machine,
  { standing: { loop, project }, lock }: ChosenLoop,
): Promise<string | null> {
  const findings = await lookAtMustNots(
    checkSiteOf(machine, project, loop),
    loop.mustNots,
    lock.mustNotFiles,
  );
  const violated = findings.find(({ violation }) => violation !== null);
  return violated === undefined ? null : `${violated.mustNot}: ${violated.violation}`;
}
