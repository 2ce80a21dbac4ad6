import { checkLoop } from "../lifecycle/check-loop.ts";
import { runRedFirst } from "../opening/preflight.ts";
import { violatedMustNot } from "../lifecycle/guarded-files.ts";
import { isRepeatable } from "../../core/loop/criterion.ts";
import { topFrame } from "../../core/loop/loop.ts";
import type { TreeReading } from "../../system/tree/tree-digest.ts";
import { recordOurs } from "./take-loop.ts";
import { mirrorTasks, trustedOwnLoop, untilStopped } from "./take-over.ts";
import type { RunContext } from "./run-context.ts";
import { isJudged } from "../../core/stop/trouble.ts";
import { followEntries } from "../../storage/loops/journal-entries.ts";
import type { Start } from "./launch-turn.ts";

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
    await recordOurs(context, [{ type: "loop.paused", reason: "must-not", detail, by: "machine" }]);
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

/** What the next prompt has to mention: that files were restored from before an iteration, that the last turn was cut off. */
export async function sinceLastTurn({ live }: RunContext): Promise<Pick<Start, "undone" | "interrupted">> {
  let undone: number | null = null;
  let isHeard = false;
  let interrupted = false;
  for (const { event } of await followEntries(live.journal)()) {
    if (event.type === "checkpoint.restored") {
      undone = event.iteration;
      isHeard = false;
    }
    if (event.type === "turn.launched") isHeard = undone !== null;
    if (event.type === "turn.ended") {
      if (isHeard && isJudged(event.outcome)) undone = null;
      interrupted = !isJudged(event.outcome) && event.outcome !== "lost-conversation";
    }
    // A session worked on it meanwhile.
    if (event.type === "iteration.held" || event.type === "iteration.handed-back") interrupted = false;
  }
  return { undone, interrupted };
}
