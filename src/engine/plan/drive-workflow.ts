import { learnFromIt } from "../lifecycle/lifecycle.ts";
import { withOpenSpend } from "./open-attempts.ts";
import { isEnded, type Loop } from "../../core/loop/loop.ts";
import { running } from "../../core/plan/workflow.ts";
import { INTERRUPTED } from "../run/run-context.ts";
import { endAttempts, isDeleted } from "./lost-records.ts";
import { WorkerPool } from "./worker-pool.ts";
import { recoverMerge } from "./merge-queue.ts";
import type { WorkflowContext, WorkflowRequest } from "./take-workflow.ts";
import { recordOurs, leaveLoop } from "../run/take-loop.ts";
import { takeWorkflow, taskOf, workflowOf } from "./take-workflow.ts";
import { buryLoop } from "../../storage/home/approval-marks.ts";
import { UserError } from "../../core/user-error.ts";
import type { KnownLoop } from "../../storage/loops/known-loop.ts";
import type { Machine } from "../../storage/loops/machine.ts";
import { workOnPlan } from "./work-on-plan.ts";

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
