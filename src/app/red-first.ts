import { runChecks } from "../checks/run-checks.ts";
import { topFrame } from "../core/loop.ts";
import type { LockedLoop } from "../loops/locked-loop.ts";
import type { Machine } from "../loops/machine.ts";
import type { TreeReading } from "../tree/tree-digest.ts";
import { recordExamination } from "./check-loop.ts";
import { checkSiteOf } from "./check-site-of.ts";
import { checksToLookAt } from "./preflight.ts";

/** Red first: each check is run once before the work, so that it is known what was true already. */
export async function runRedFirst(
  machine: Machine,
  locked: LockedLoop,
  options: { readonly tree?: TreeReading | null; readonly signal?: AbortSignal } = {},
): Promise<TreeReading | null> {
  const checks = checksToLookAt(topFrame(locked.live.loop).criteria);
  const site = checkSiteOf(machine, locked, options.signal ?? null);
  const examination = await runChecks(site, checks, { tree: options.tree ?? null });
  await recordExamination(locked.live, checks, examination, { atStart: true });
  return examination.tree;
}
