import { checkpointsOfLoop, listCheckpoints } from "../../worktrees/checkpoints/refs.ts";
import { takeCheckpoint } from "../../worktrees/checkpoints/take.ts";
import type { TreeReading } from "../../system/tree/tree-digest.ts";
import type { RunContext } from "./run-context.ts";

/**
 * The commit that keeps the files from before an iteration, under the iteration's name. One per iteration: a second attempt
 * starts with what the first one left. Null if there is none. Reports files that are not kept. `tree`: a recent tree reading, if
 * there is one.
 */
export async function keepTree(
  context: RunContext,
  iteration: string,
  { isFirst, tree }: { readonly isFirst: boolean; readonly tree: TreeReading | null },
): Promise<string | null> {
  const { machine, live, workplace, redact, tell } = context;
  const { id } = live;
  const { root } = workplace;
  const ref = `${checkpointsOfLoop(id)}/${iteration}`;
  const [kept] = isFirst ? [] : await listCheckpoints(root, ref);
  if (kept !== undefined) return kept.commit;
  const message = `Before iteration ${iteration} of ${id}`;
  const taken = await takeCheckpoint({ root, stateHome: machine.home, ref, message, reading: tree });
  if (taken.commit === null) {
    tell({ type: "unkept", files: "all", why: taken.why === null ? null : redact(taken.why) });
  } else if (taken.skipped.length > 0) {
    tell({ type: "unkept", files: taken.skipped, why: "larger than 100 MB" });
  }
  return taken.commit;
}
