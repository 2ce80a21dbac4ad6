import { acceptedSince } from "../integration/accepted-since.ts";
import { endMerge } from "./merge-queue.ts";
import type { WorkflowContext } from "./take-workflow.ts";
import { workflowOf } from "./take-workflow.ts";

/** A run was killed during a merge: whether the loop's branch had moved says what was accepted. */
export async function recoverMerge(context: WorkflowContext): Promise<void> {
  const { merge, branch } = workflowOf(context.live.loop);
  if (merge === null) return;
  const commits =
    branch === null
      ? []
      : await acceptedSince({
          root: context.live.project.root,
          stateHome: context.machine.home,
          from: branch.tip,
          ref: `refs/heads/${branch.name}`,
        });
  const accepted = (commits ?? []).flatMap(({ commit, trailers }) => {
    const task = trailers["Loop-Task"];
    return task !== undefined && merge.tasks.includes(task) ? [{ task, commit }] : [];
  });
  await endMerge(context, merge.id, { accepted, setBack: [] });
}
