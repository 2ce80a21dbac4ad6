import { runChecks } from "../../verify/checks/run-checks.ts";
import { isRepeatable } from "../../core/loop/criterion.ts";
import { topFrame } from "../../core/loop/loop.ts";
import type { LockedLoop } from "../../storage/loops/locked-loop.ts";
import type { Machine } from "../../storage/loops/machine.ts";
import type { TreeReading } from "../../system/tree/tree-digest.ts";
import { openingsOf, noteWritten } from "../../verify/baseline/loop-openings.ts";
import { noteStart } from "../../verify/baseline/take-opening.ts";
import { recordExamination } from "../lifecycle/check-loop.ts";
import { checksOf } from "./keep-opening.ts";
import { checkSiteOf } from "./check-site-of.ts";

/** Red first: runs each check once before the work, to know what was already true. */
export async function runRedFirst(
  machine: Machine,
  locked: LockedLoop,
  options: { readonly tree?: TreeReading | null; readonly signal?: AbortSignal } = {},
): Promise<TreeReading | null> {
  const checks = checksOf(topFrame(locked.live.loop).criteria.filter(isRepeatable));
  const site = checkSiteOf(machine, locked, options.signal ?? null);
  const examination = await runChecks(site, checks, { tree: options.tree ?? null });
  const openings = openingsOf(machine, locked);
  noteStart(openings, examination, { isAgents: false });
  noteWritten(openings, [...examination.written.values()].flat());
  await recordExamination(locked.live, checks, examination, { atStart: true });
  return examination.tree;
}
