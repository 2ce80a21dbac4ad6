import { checkLoop } from "../../lifecycle/check-loop.ts";
import { signalDone } from "../../lifecycle/lifecycle.ts";
import type { Criterion } from "../../../core/criterion.ts";
import { topFrame } from "../../../core/loop.ts";
import type { Attempt, Setback } from "../../../core/plan/workflow.ts";
import { running } from "../../../core/plan/workflow.ts";
import type { LockedLoop } from "../../../storage/loops/locked-loop.ts";
import { UserError } from "../../../core/user-error.ts";
import { loopOfAttempt } from "../begin-attempt.ts";
import { envelopeOf } from "../envelope.ts";
import { unlessUnreadable } from "../lost-records.ts";
import { recordResult } from "../keep-attempt.ts";
import type { WorkflowContext } from "../take-workflow.ts";
import { workflowOf } from "../take-workflow.ts";

/**
 * The agent's claim that a task is done. Its check runs once, so that the agent sees at once if it fails; what counts is
 * what the hook sees when the session stops. Returns the criteria whose checks failed; nothing is claimed then.
 */
export async function claimDone(context: WorkflowContext, task: string): Promise<readonly Criterion[]> {
  const attempt = expectRunning(context, task);
  const own = await expectLoop(context, attempt);
  const { criteria } = topFrame(own.live.loop);
  if (criteria.some(({ check }) => check !== null)) {
    const { loop, examination } = await checkLoop(context.machine, own, []);
    const failed = topFrame(loop).criteria.filter(
      ({ name }) => examination.evidence.get(name)?.passed === false,
    );
    if (failed.length > 0) return failed;
  }
  await signalDone(own);
  return [];
}

/** The agent gives a task back: the next attempt is told why, and starts anew. Returns whether its files are kept. */
export async function giveBack(context: WorkflowContext, task: string, reason: string): Promise<boolean> {
  const attempt = expectRunning(context, task);
  const setback: Setback = {
    kind: "failed",
    detail: `The agent gave it back: ${reason}`,
    carry: null,
    failing: [],
  };
  const isOurs = (await recordResult(context, attempt, { type: "set-back", setback })) !== null;
  if (!isOurs) throw new UserError(`${task} isn't being worked on any more; see the tasks with: loop task`);
  const own = await loopOfAttempt(context.machine, context.live.project, attempt).catch(unlessUnreadable);
  if (own !== null)
    await own.live.record((now) =>
      now.phase === "active" || now.phase === "paused" ? [{ type: "loop.cancelled", by: "agent" }] : [],
    );
  const envelope = envelopeOf(context.live.loop, workflowOf(context.live.loop), attempt);
  const unkept = await context.workshop.keepUnfinished(envelope);
  if (unkept?.type === "paused")
    throw new UserError(
      `${task} is given back, but ${unkept.detail}. They are in ${attempt.worktree ?? "the project"}.`,
    );
  return unkept === null;
}

function expectRunning(context: WorkflowContext, task: string): Attempt {
  const attempt = running(workflowOf(context.live.loop)).find((each) => each.task === task);
  if (attempt !== undefined) return attempt;
  throw new UserError(`Nobody works on ${task}; begin with: loop task claim ${task}`);
}

async function expectLoop(context: WorkflowContext, attempt: Attempt): Promise<LockedLoop> {
  const own = await loopOfAttempt(context.machine, context.live.project, attempt);
  if (own !== null) return own;
  throw new UserError(`The attempt at ${attempt.task} isn't prepared; run: loop task claim ${attempt.task}`);
}
