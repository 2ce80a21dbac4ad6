import type { LoopId } from "../../core/loop/id.ts";
import { checkOut } from "./check-out.ts";
import { QUEUE_NAME } from "./kept-attempt.ts";
import type { RemovedWorktree } from "./remove-worktree.ts";
import { removeWorktree } from "./remove-worktree.ts";

/** Removes the worktree of a merge queue. What checks left in it is thrown away first, as it is before every merge. */
export async function removeQueue(queue: {
  readonly stateHome: string;
  readonly root: string;
  readonly loop: LoopId;
  /** A commit that is kept, such as the branch's last one. */
  readonly tip: string;
}): Promise<RemovedWorktree> {
  const which = { ...queue, name: QUEUE_NAME };
  await checkOut({ ...which, commit: queue.tip });
  return removeWorktree({ ...which, kept: queue.tip });
}
