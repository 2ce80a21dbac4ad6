import { checkLoop } from "../app/check-loop.ts";
import { runRedFirst } from "../app/red-first.ts";
import { violatedMustNot } from "../app/violated-must-not.ts";
import { isRepeatable } from "../core/criterion.ts";
import { topFrame } from "../core/loop.ts";
import type { TreeReading } from "../tree/tree-digest.ts";
import { mirrorTasks, trustedOwnLoop } from "./own-loop.ts";
import type { RunContext } from "./run-context.ts";
import { recordOurs, untilStopped } from "./until-stopped.ts";

/**
 * Before the first turn of a run: the first prompt tells what fails now. Of a new loop it is also known later what was true
 * before the work; of one that comes from elsewhere, what has changed since its checks ran. Returns the files, if it ended with
 * a look at them.
 */
export async function lookBeforeFirstTurn(context: RunContext): Promise<TreeReading | null> {
  const { machine, live, workplace } = context;
  await mirrorTasks(context);
  const { criteria, iteration } = topFrame(live.loop);
  const checked = criteria.filter(isRepeatable);
  if (live.loop.phase !== "active") return null;
  const own = await trustedOwnLoop(context);
  if (own === null) return null;
  // What is violated already costs no turn to find out.
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
