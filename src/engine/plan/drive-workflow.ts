import { learnFromIt } from "../lifecycle/lifecycle.ts";
import { pruneEndedLoops } from "../lifecycle/turn-folders.ts";
import { withOpenSpend } from "./open-attempts.ts";
import { isEnded, type Loop } from "../../core/loop/loop.ts";
import { running } from "../../core/plan/workflow.ts";
import { INTERRUPTED } from "../run/run-context.ts";
import { endAttempts, isDeleted } from "./lost-records.ts";
import { WorkerPool } from "./worker-pool.ts";
import { recoverMerge } from "./merge-queue.ts";
import {
  type WorkflowContext,
  type WorkflowRequest,
  takeWorkflow,
  taskOf,
  workflowOf,
} from "./take-workflow.ts";
import { recordOurs, leaveLoop } from "../run/take-loop.ts";
import { buryLoop } from "../../storage/home/approval-marks.ts";
import { UserError } from "../../core/user-error.ts";
import type { KnownLoop } from "../../storage/loops/known-loop.ts";
import type { Machine } from "../../storage/loops/machine.ts";
import { workOnPlan } from "./work-on-plan.ts";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { isFolder } from "../../system/files/folders.ts";
import { findGitFolders } from "../../system/git/git-files.ts";
import { hasFolder } from "../../worktrees/integration/repository.ts";
import { openingCallerLocation } from "../../storage/home/project.ts";
import { oneLine } from "../../system/text/plain-text.ts";
import type { Check } from "../../core/loop/criterion.ts";
import type { EventOf } from "../../core/events/event.ts";
import { FINAL_PREFIX, type Plan, type PlannedTask } from "../../core/plan/plan.ts";

/** Takes a plan over, works on it until it is done, given up or paused, and leaves it in order. */
export async function driveWorkflow(
  machine: Machine,
  chosen: KnownLoop,
  request: WorkflowRequest,
): Promise<Loop> {
  const context = await takeWorkflow(machine, chosen, request);
  const workerPool = new WorkerPool(context);
  try {
    try {
      if (await isReady(context)) {
        await pruneEndedLoops(machine, context.live.project);
        await recoverMerge(context);
        for (const attempt of running(workflowOf(context.live.loop))) {
          const { loop } = context.live;
          const task = taskOf(context, attempt.task);
          context.tell({ type: "attempt-began", loop, task, attempt, isResumed: true });
          workerPool.start(attempt);
        }
        await workOnPlan(context, workerPool);
      } else if (context.interrupts.asked()) await recordOurs(context, [INTERRUPTED]);
    } finally {
      await workerPool.stop();
    }
    await clearUp(context);
  } catch (error) {
    if (await isDeleted(context.live)) await afterDeletion(context);
    throw error;
  } finally {
    await leaveLoop(context);
  }
  const loop = await context.live.refresh();
  if (loop.phase === "completed" && context.strangers().length > 0)
    throw new UserError(
      `The journal says that the loop ${loop.id} is completed, but this run did not decide that; somebody else wrote it. See: loop log --loop ${loop.id}`,
    );
  await learnFromIt(machine, context.live);
  const shown = await withOpenSpend(machine, context.live.project, loop);
  context.tell({ type: "workflow-ended", loop: shown });
  return shown;
}

/** A person who stops it at once ends the checks that are being tried, too. */
async function isReady(context: WorkflowContext): Promise<boolean> {
  try {
    return await context.workspace.makeReady(context);
  } catch (error) {
    if (context.interrupts.now.aborted) return false;
    throw error;
  }
}

/** Whoever cancelled the workflow meant its attempts, too. */
async function clearUp({ machine, live, workspace, mirror }: WorkflowContext): Promise<void> {
  const loop = await live.refresh();
  if (loop.phase === "cancelled") await endAttempts(machine, live);
  const isCancelled = loop.phase === "cancelled";
  await workspace.tidy(workflowOf(loop), { isOver: isEnded(loop), isCancelled });
  await mirror.catchUp(loop);
}

/** Somebody deleted the loop's records. What is known of it here is enough to keep the work. */
async function afterDeletion({ machine, run, live, workspace }: WorkflowContext): Promise<never> {
  const { root } = live.project;
  const workflow = workflowOf(live.loop);
  buryLoop(machine.home, { root, loop: live.id, session: run, at: machine.now() });
  await workspace.tidy(workflow, { isOver: true, isCancelled: true });
  const { branch } = workflow;
  const merged =
    branch === null || branch.tip === branch.from
      ? ""
      : ` What was merged is on the branch ${branch.name}; take it with: git merge ${branch.name}.`;
  const kept = branch === null ? "" : `${merged} All other work is kept in refs/loopwright/${live.id}/tasks.`;
  throw new UserError(`The records of the loop ${live.id} were deleted, which cancels it.${kept}`);
}

/** Before anything is opened, asked or paid: worktrees of the last commit have the folder to work in. Without git there are none. */
export async function expectStartable({ cwd, git }: Pick<Machine, "cwd" | "git">): Promise<void> {
  expectNoBareRepository(cwd);
  const { project, folder } = openingCallerLocation(cwd);
  if (findGitFolders(project.root) === null) return;
  const commit = await git.headCommit(project.root);
  if (commit === null)
    throw new UserError(
      "This repository has no commit yet, so no task can start from one; commit something first.",
    );
  if (await hasFolder(project.root, commit, folder)) return;
  throw new UserError(
    `The tasks start from the last commit, which has no folder ${oneLine(folder, 120)}; commit something in it, or start from a folder that is committed.`,
  );
}

/** A folder that is a repository's own has no files to work on, and what tasks write there would be in git's way. */
function expectNoBareRepository(folder: string): void {
  const isBare =
    existsSync(join(folder, "HEAD")) && ["objects", "refs"].every((name) => isFolder(join(folder, name)));
  if (isBare)
    throw new UserError(
      "This is a bare git repository, which has no files to work on; run it in a checkout of it.",
    );
}

const ATTEMPTS = 10;

interface Adopted {
  /** Of the whole job; they become the plan's last tasks. */
  readonly criteria: readonly { readonly name: string; readonly check: Check | null }[];
  readonly parallel: number;
  /** How many attempts a task may have; null: nobody has said. */
  readonly iterationLimit: number | null;
}

/** A plan as a loop takes it. */
export function planAdopted(
  plan: Plan,
  { criteria, parallel, iterationLimit }: Adopted,
): EventOf<"plan.adopted"> {
  return {
    type: "plan.adopted",
    plan: withFinalTasks(plan, criteria),
    parallel,
    attemptLimit: iterationLimit ?? ATTEMPTS,
    // A share of what is left, as attempts start.
    attemptUsd: null,
  };
}

/**
 * The criteria of the whole job, as tasks at the end: each is worked on only if its check fails then.
 * None waits for another, so that they are one wave, with one review.
 */
function withFinalTasks(
  plan: Plan,
  criteria: readonly { readonly name: string; readonly check: Check | null }[],
): Plan {
  const all = plan.tasks.map(({ id }) => id);
  const final = criteria.map(({ name, check }, index): PlannedTask => ({
    id: `${FINAL_PREFIX}-${index + 1}`,
    subject: name,
    description:
      "All other tasks are merged. See that this holds for the whole of it, and make it so if it doesn't.",
    check,
    proposed: null,
    blockedBy: all,
    files: [],
    estimateMs: null,
  }));
  return { ...plan, tasks: [...plan.tasks, ...final] };
}
