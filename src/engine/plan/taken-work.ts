import type { Loop } from "../../core/loop/loop.ts";
import { isAncestor } from "../../worktrees/integration/branch.ts";
import { refCommit } from "../../worktrees/checkpoints/refs.ts";

/** The loop as it is now: work that was left on its branch may have been merged by the user since. */
export async function withTakenWork(root: string, loop: Loop): Promise<Loop> {
  const { workflow } = loop;
  if (workflow?.branch == null || workflow.delivered?.how !== "left") return loop;
  const { tip, userBranch } = workflow.branch;
  const now = await refCommit(root, userBranch === null ? "HEAD" : `refs/heads/${userBranch}`);
  if (now === null || !(await isAncestor(root, tip, now))) return loop;
  return { ...loop, workflow: { ...workflow, deliveredFrom: null, delivered: { how: "moved", why: null } } };
}
