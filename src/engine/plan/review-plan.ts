import type { Loop } from "../../core/loop/loop.ts";
import { lastAttempt, setbacksOf, type Workflow } from "../../core/plan/workflow.ts";
import type { ChangedFiles } from "../../core/loop/proof.ts";
import { acceptedSince } from "../../worktrees/integration/branch.ts";
import { changedLinesOf } from "../../worktrees/integration/read-diff.ts";
import { revertedByEach } from "../../worktrees/integration/merge-result.ts";
import { inspectLoop, isAbandoned, type KnownLoop } from "../../storage/loops/known-loop.ts";
import type { LiveLoop } from "../../storage/loops/live-loop.ts";
import type { Machine } from "../../storage/loops/machine.ts";
import { UserError } from "../../core/user-error.ts";
import type { Project } from "../../storage/home/project.ts";
import { judgementStatus, type JudgementStatus } from "../../views/review.ts";
import { reviewOrder, type ReviewedTask, type TaskResult } from "../../views/review-order.ts";
import { keptWork } from "./open-attempts.ts";
import { workflowStatus, type WorkflowTask } from "../../views/plan.ts";

export interface PlanReview {
  readonly loop: string;
  readonly phase: Loop["phase"];
  readonly branch: string | null;
  readonly from: string | null;
  readonly tip: string | null;
  readonly tasks: readonly ReviewedTask[];
  /** null: nothing but checks judged the work. */
  readonly judgement: JudgementStatus | null;
}

/** What a plan came to so far, task by task, from its journal, its branch and the journals of its attempts. */
export async function reviewPlan(machine: Machine, { id, live }: KnownLoop): Promise<PlanReview> {
  const { workflow, stages, phase } = live.loop;
  if (workflow === null)
    throw new UserError(`The loop ${id} has no plan; loop review shows what the tasks of a plan came to.`);
  const commits = await commitsOf(machine, live.project, workflow);
  const results: TaskResult[] = [];
  for (const task of workflowStatus(live.loop, isAbandoned(live.loop))?.tasks ?? [])
    results.push(await resultOf(machine, live, workflow, task, commits.get(task.id)));
  const { name = null, from = null, tip = null } = workflow.branch ?? {};
  return {
    loop: id,
    phase,
    branch: name,
    from,
    tip,
    tasks: reviewOrder(results),
    judgement: judgementStatus(stages),
  };
}

/** The commit of a task on the branch, with what it changed. */
interface TaskCommit extends Pick<TaskResult, "files" | "reverts"> {
  readonly commit: string;
}

/** By task. Git is asked once for all of them: a plan may have hundreds. */
async function commitsOf(
  { home }: Machine,
  { root }: Project,
  { branch }: Workflow,
): Promise<ReadonlyMap<string, TaskCommit>> {
  if (branch === null) return new Map();
  const repository = { root, stateHome: home };
  const accepted = (await acceptedSince({ ...repository, from: branch.from, ref: branch.tip })) ?? [];
  const ids = accepted.map(({ commit }) => commit);
  const [lines, reverted] = await Promise.all([changedLinesOf(repository, ids), revertedByEach(root, ids)]);
  const tasks = new Map(accepted.map(({ commit, trailers }) => [commit, trailers["Loop-Task"] ?? ""]));
  const found = new Map<string, TaskCommit>();
  for (const [commit, task] of tasks)
    if (!found.has(task))
      found.set(task, {
        commit,
        files: lines?.get(commit) ?? [],
        reverts: (reverted?.get(commit) ?? []).map(({ path, undoes }) => ({
          path,
          of: tasks.get(undoes) ?? null,
        })),
      });
  return found;
}

async function resultOf(
  machine: Machine,
  { id, project }: LiveLoop,
  workflow: Workflow,
  { id: task, subject, state, confidence, doubts }: WorkflowTask,
  onBranch: TaskCommit | undefined,
): Promise<TaskResult> {
  const last = lastAttempt(workflow, task);
  const isOnBranch = last?.state.type === "integrated";
  // A task without changes has no commit of its own.
  const own = isOnBranch ? onBranch : undefined;
  return {
    id: task,
    subject,
    state,
    confidence,
    doubts,
    setbacks: setbacksOf(workflow, task).map(({ kind }) => kind),
    commit: own?.commit ?? null,
    kept: last === null ? null : await keptWork(project.root, id, last),
    files: own?.files ?? [],
    reverts: own?.reverts ?? [],
    changed: isOnBranch ? await changedBy(machine, project, last.loop) : null,
  };
}

async function changedBy(
  machine: Machine,
  project: Project,
  attempt: Loop["id"],
): Promise<ChangedFiles | null> {
  const found = await inspectLoop(machine, project, attempt).catch(() => null);
  if (found?.type !== "loop") return null;
  const { loop } = found.live;
  return loop.phase === "completed" ? loop.changed : null;
}
