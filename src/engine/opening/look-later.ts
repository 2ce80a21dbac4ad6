import type { Examination, Look } from "../../verify/checks/run-checks.ts";
import { lookAtChecks } from "../../verify/checks/run-checks.ts";
import type { Criterion } from "../../core/loop/criterion.ts";
import type { LockedLoop } from "../../storage/loops/locked-loop.ts";
import type { Machine } from "../../storage/loops/machine.ts";
import { checkSiteOf } from "./check-site-of.ts";
import { checksToLookAt } from "./preflight.ts";

/** Runs a check that joins an open loop, once, before it does. undefined: it has none to run, or the files changed meanwhile. */
export async function lookLater(
  machine: Machine,
  locked: LockedLoop,
  criterion: Pick<Criterion, "name" | "check">,
  tell: (look: Look) => void,
): Promise<Examination | undefined> {
  const checks = checksToLookAt([criterion]);
  if (checks.length === 0) return undefined;
  const site = checkSiteOf(machine, locked);
  const before = await site.readTree();
  const looked = await lookAtChecks(site, checks, tell);
  const after = await site.readTree();
  return before !== null && before.digest === after?.digest ? looked : undefined;
}
