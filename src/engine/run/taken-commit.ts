import type { CommitOfLoop } from "../../core/loop/commit.ts";
import type { Loop } from "../../core/loop/loop.ts";
import { refCommit } from "../../worktrees/checkpoints/refs.ts";
import { checkedOutRef, isAncestor } from "../../worktrees/integration/branch.ts";

/** A plain loop's commit on its own branch: on the user's branch it is where a delivery would have put it. */
export async function withTakenCommit(root: string, loop: Loop, wanted: CommitOfLoop): Promise<Loop> {
  const { made, branch, from } = wanted;
  if (made?.commit == null || made.before !== null || branch === null) return loop;
  const ref = wanted.onto === null ? await checkedOutRef(root) : `refs/heads/${wanted.onto}`;
  const now = await refCommit(root, ref ?? "HEAD");
  if (ref === `refs/heads/${branch}` || now === null || !(await isAncestor(root, made.commit, now)))
    return loop;
  const onto = ref?.replace(/^refs\/heads\//, "") ?? "your checkout";
  return { ...loop, commit: { ...wanted, onto, made: { ...made, before: from, why: null } } };
}
