import { checkLoop } from "../lifecycle/check-loop.ts";
import { runRedFirst } from "../opening/preflight.ts";
import { violatedMustNot } from "../stop/violated-must-not.ts";
import { isRepeatable } from "../../core/criterion.ts";
import { topFrame } from "../../core/loop.ts";
import type { TreeReading } from "../../system/tree/tree-digest.ts";
import { mirrorTasks, trustedOwnLoop } from "./own-loop.ts";
import type { RunContext } from "./run-context.ts";
import { recordOurs, untilStopped } from "./until-stopped.ts";

/**
 * Runs the checks before the first turn of a run, so the first prompt says what fails now. For a new loop this also records what
 * was true before the work; for one from elsewhere, what changed since its checks ran. Returns the tree reading, if it ended
 * with one.
 */
export async function lookBeforeFirstTurn(context: RunContext): Promise<TreeReading | null> {
  const { machine, live, workplace } = context;
  await mirrorTasks(context);
  const { criteria, iteration } = topFrame(live.loop);
  const checked = criteria.filter(isRepeatable);
  if (live.loop.phase !== "active") return null;
  const own = await trustedOwnLoop(context);
  if (own === null) return null;
  // Finds an existing violation without paying for a turn.
  const look = await untilStopped(context, async (signal) => ({
    violated: await violatedMustNot(machine, own, signal),
  }));
  if (look === null) return null;
  if (look.violated !== null) {
    const { violated: detail } = look;
    await recordOurs(context, { type: "loop.paused", reason: "must-not", detail, by: "machine" });
    return null;
  }
  if (checked.length === 0) return null;
  if (iteration === 0 && checked.every(({ evidence }) => evidence === null)) {
    return untilStopped(context, async (signal) => runRedFirst(machine, own, { signal }));
  }
  const tree = await machine.git.readTree(workplace.root);
  const old = checked.filter(({ evidence }) => evidence?.treeDigest !== (tree?.digest ?? null));
  if (old.length === 0) return tree;
  const names = old.map(({ name }) => name);
  const ran = await untilStopped(context, async (signal) => checkLoop(machine, own, names, { signal }));
  return ran === null ? null : ran.examination.tree;
}
