import type { Merge } from "../../core/plan/workflow.ts";
import type { AcceptedCommit } from "../../worktrees/integration/branch.ts";
import { acceptedSince } from "../../worktrees/integration/branch.ts";
import { mergeResult } from "../../worktrees/integration/merge-result.ts";
import { treesOfCommits, withObjects } from "../../worktrees/integration/repository.ts";
import type { Repository } from "../../worktrees/integration/repository.ts";
import { endMerge, finishedAttempt } from "./merge-queue.ts";
import type { WorkflowContext } from "./take-workflow.ts";
import { workflowOf } from "./take-workflow.ts";

/** A run was killed during a merge: whether the loop's branch had moved says what was accepted. */
export async function recoverMerge(context: WorkflowContext): Promise<void> {
  const { merge, branch } = workflowOf(context.live.loop);
  if (merge === null) return;
  const repository = { root: context.live.project.root, stateHome: context.machine.home };
  const ref = `refs/heads/${branch?.name ?? ""}`;
  const commits = branch === null ? null : await acceptedSince({ ...repository, from: branch.tip, ref });
  const accepted: { readonly task: string; readonly commit: string }[] = [];
  let tip = branch?.tip ?? "";
  for (const each of commits ?? []) {
    const left = merge.tasks.filter((id) => accepted.every(({ task }) => task !== id));
    const task = await taskMerged(context, left, repository, each, tip);
    // Whatever somebody else put there is left to them: the next merge says so.
    if (task === null) break;
    accepted.push({ task, commit: each.commit });
    tip = each.commit;
  }
  await endMerge(context, merge.id, { accepted, setBack: [] });
}

/** The task whose result this commit merges onto another one; null: it is nobody's merge, whatever it says of itself. */
async function taskMerged(
  context: WorkflowContext,
  tasks: Merge["tasks"],
  repository: Repository,
  { commit, trailers }: AcceptedCommit,
  tip: string,
): Promise<string | null> {
  const task = trailers["Loop-Task"] ?? "";
  if (!tasks.includes(task)) return null;
  const { base, commit: result } = finishedAttempt(workflowOf(context.live.loop), task);
  const merged = await mergeResult({ ...repository, tip, base, result });
  const [tree] = (await withObjects(repository, async (store) => treesOfCommits(store, [commit]))) ?? [];
  return merged.type === "clean" && merged.tree === tree ? task : null;
}
