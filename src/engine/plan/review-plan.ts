import type { Loop } from "../../core/loop/loop.ts";
import { lastAttempt, setbacksOf, type Workflow } from "../../core/plan/workflow.ts";
import type { ChangedFiles } from "../../core/loop/proof.ts";
import { acceptedSince } from "../../worktrees/integration/branch.ts";
import { changedLines } from "../../worktrees/integration/read-diff.ts";
import { revertedFiles } from "../../worktrees/integration/merge-result.ts";
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
    results.push(await resultOf(machine, live, workflow, task, commits));
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

type Commits = readonly { readonly commit: string; readonly task: string; readonly before: string }[];

/** The commits of the branch, each with its task and the one before it. */
async function commitsOf({ home }: Machine, { root }: Project, { branch }: Workflow): Promise<Commits> {
  if (branch === null) return [];
  const accepted = await acceptedSince({ root, stateHome: home, from: branch.from, ref: branch.tip });
  return (accepted ?? []).map(({ commit, trailers }, index, all) => ({
    commit,
    task: trailers["Loop-Task"] ?? "",
    before: all[index - 1]?.commit ?? branch.from,
  }));
}

async function resultOf(
  machine: Machine,
  { id, project }: LiveLoop,
  workflow: Workflow,
  { id: task, subject, state, confidence, doubts }: WorkflowTask,
  commits: Commits,
): Promise<TaskResult> {
  const last = lastAttempt(workflow, task);
  const isOnBranch = last?.state.type === "integrated";
  // A task without changes has no commit of its own.
  const own = isOnBranch ? commits.find((each) => each.task === task) : undefined;
  const repository = { root: project.root, stateHome: machine.home };
  return {
    id: task,
    subject,
    state,
    confidence,
    doubts,
    setbacks: setbacksOf(workflow, task).map(({ kind }) => kind),
    commit: own?.commit ?? null,
    kept: last === null ? null : await keptWork(project.root, id, last),
    files: own === undefined ? [] : ((await changedLines(repository, own.commit)) ?? []),
    reverts: own === undefined ? [] : await revertsOf(project, workflow, own, commits),
    changed: isOnBranch ? await changedBy(machine, project, last.loop) : null,
  };
}

async function revertsOf(
  { root }: Project,
  { branch }: Workflow,
  { before, commit }: Commits[number],
  commits: Commits,
): Promise<TaskResult["reverts"]> {
  if (branch === null) return [];
  const files = await revertedFiles({ root, from: branch.from, tip: before, tree: commit });
  return (files ?? []).map(({ path, undoes }) => ({
    path,
    of: commits.find((each) => each.commit === undoes)?.task ?? null,
  }));
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
