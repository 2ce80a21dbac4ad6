import { describeCheck } from "../../../core/loop/criterion.ts";
import type { Workflow } from "../../../core/plan/workflow.ts";
import { lastAttempt } from "../../../core/plan/workflow.ts";
import { acceptedSince } from "../../../worktrees/integration/branch.ts";
import type { Place } from "../../../verify/baseline/kept-files.ts";
import { listKept } from "../../../verify/baseline/kept-files.ts";
import type { Opening } from "../../../verify/baseline/opening-record.ts";
import { readOpening } from "../../../verify/baseline/opening-record.ts";
import type { WorkflowContext } from "../take-workflow.ts";
import { workflowOf } from "../take-workflow.ts";

/** A result on the loop's branch, with what a person approved in the attempt that made it. */
export interface Accepted {
  readonly task: string;
  readonly commit: string;
  readonly approved: Opening["approved"];
}

/** What was merged, the oldest first; null when git can't tell. */
export async function acceptedResults({
  machine,
  live,
}: Pick<WorkflowContext, "machine" | "live">): Promise<readonly Accepted[] | null> {
  const { root } = live.project;
  const workflow = workflowOf(live.loop);
  const { branch } = workflow;
  if (branch === null) return [];
  const repository = { root, stateHome: machine.home };
  const accepted = await acceptedSince({ ...repository, from: branch.from, ref: branch.tip });
  if (accepted === null) return null;
  const place = { root, home: machine.home };
  const results: Accepted[] = [];
  for (const { commit, trailers } of accepted) {
    const task = trailers["Loop-Task"] ?? "";
    results.push({ task, commit, approved: await readable(place, approvedFor(place, workflow, task)) });
  }
  return results;
}

/** An approval whose files are gone approves nothing. */
async function readable(place: Place, approved: Opening["approved"]): Promise<Opening["approved"]> {
  const found: Opening["approved"][number][] = [];
  for (const each of approved) {
    const isThere = await listKept(place, each.kept).then(
      () => true,
      () => false,
    );
    if (isThere) found.push(each);
  }
  return found;
}

/** An attempt has one frame, and its criteria are checks of tasks. */
const DEPTH = 1;

function approvedFor(where: Place, workflow: Workflow, task: string): Opening["approved"] {
  const attempt = lastAttempt(workflow, task);
  if (attempt?.state.type !== "integrated") return [];
  return workflow.plan.tasks.flatMap(({ id: name, check }) => {
    if (check === null) return [];
    const which = { ...where, id: attempt.loop, depth: DEPTH, name, command: describeCheck(check) };
    return readOpening(which)?.approved ?? [];
  });
}
