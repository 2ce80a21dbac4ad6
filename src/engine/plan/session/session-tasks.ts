import { expectActive, signalDone } from "../../lifecycle/lifecycle.ts";
import { describeCheck, type Criterion } from "../../../core/loop/criterion.ts";
import type { EventOf, LoopEvent } from "../../../core/events/event.ts";
import { isActiveFor, topFrame, type Loop } from "../../../core/loop/loop.ts";
import type { Attempt, TaskState, Workflow, Setback } from "../../../core/plan/workflow.ts";
import { isSpent, lastAttempt, running, taskState } from "../../../core/plan/workflow.ts";
import { wavesOf } from "../../../core/plan/graph.ts";
import type { PlannedTask } from "../../../core/plan/plan.ts";
import { freeSlots } from "../../../core/plan/startable-tasks.ts";
import { needsCounsel } from "../../../core/stages/asking.ts";
import { experiencePart, mustNotPart } from "../../../views/prompts/turn.ts";
import { UserError } from "../../../core/user-error.ts";
import { attemptStarted, envelopeOf } from "../envelope.ts";
import type { AttemptEnvelope } from "../executor.ts";
import type { Claimed } from "../../../views/terminal/task-text.ts";
import { withoutRecords, unlessUnreadable } from "../lost-records.ts";
import { recordResult } from "../keep-attempt.ts";
import { counselFor, failureOf, noteShortfall } from "../stages/retry-advice.ts";
import { taskOf, workflowOf, type WorkflowContext } from "../take-workflow.ts";
import type { Workspace } from "../workspace.ts";
import { checkLoop } from "../../lifecycle/check-loop.ts";
import type { KnownLoop } from "../../../storage/loops/known-loop.ts";
import { loopOfAttempt } from "../begin-attempt.ts";

/** Makes an attempt of a ready task: first in the journal, then its worktree and its loop. The same task again gives the same attempt. */
export async function claimTask(context: WorkflowContext, task: string): Promise<Claimed> {
  expectActive(context.live.loop);
  const attempt = running(workflowOf(context.live.loop)).find((each) => each.task === task);
  const claimed = attempt ?? (await begin(context, task));
  const envelope = envelopeOf(context.live.loop, workflowOf(context.live.loop), claimed);
  await prepare(context, envelope, claimed);
  await context.mirror.catchUp(context.live.loop);
  const { check } = taskOf(context, task);
  return {
    task,
    attempt: claimed.number,
    worktree: claimed.worktree,
    // What the prompt of a driven attempt has, too.
    spec: [envelope.spec, mustNotPart(envelope), experiencePart(envelope)]
      .filter((part) => part !== "")
      .join("\n\n"),
    check: check === null ? null : describeCheck(check),
  };
}

async function begin(context: WorkflowContext, task: string): Promise<Attempt> {
  expectReady(workflowOf(context.live.loop), task, context.workspace);
  if (workflowOf(context.live.loop).attempts.length === 0 && !(await context.workspace.makeReady(context)))
    throw new UserError(whyNotReady(await context.live.refresh()));
  const counsel = await plainCounsel(context, task);
  const loop = await context.live.record((now) => {
    if (!isActiveFor(now, context.run)) throw new UserError(whyNotReady(now));
    const workflow = workflowOf(now);
    const planned = expectReady(workflow, task, context.workspace);
    const [slot = 1] = freeSlots(workflow, 1);
    return [
      ...counsel.filter(({ after }) => needsCounsel(workflow, now.stages, task)?.number === after),
      ...wavesUntil(workflow, task),
      attemptStarted(context.workspace, workflow, planned, {
        slot,
        agent: context.agents[0] ?? "session",
        // The session is charged as a whole.
        reservedUsd: null,
        reservedTokens: null,
      }),
    ];
  });
  const attempt = lastAttempt(workflowOf(loop), task);
  if (attempt === null) throw new Error(`no attempt at ${task} after it was begun`);
  return attempt;
}

/** After a failure that nobody has advised on, the attempt gets what needs no model. */
async function plainCounsel(
  context: WorkflowContext,
  task: string,
): Promise<readonly EventOf<"counsel.given">[]> {
  const { loop } = context.live;
  const failed = needsCounsel(workflowOf(loop), loop.stages, task);
  if (failed === null) return [];
  const { now } = context.interrupts;
  const counsel = await counselFor(context, taskOf(context, task), failed.number, now);
  return [{ type: "counsel.given", ...counsel }];
}

async function prepare(context: WorkflowContext, envelope: AttemptEnvelope, attempt: Attempt): Promise<void> {
  const { executor, interrupts } = context;
  const { task } = attempt;
  const outcome = await executor
    .runAttempt(envelope, {
      signal: interrupts.now,
      soon: interrupts.now,
      tell: () => {},
      waitsUntil: () => null,
    })
    .then(
      (result) => result.outcome,
      async (error: unknown) => withoutRecords(context, envelope, error),
    );
  if (outcome.type === "stopped") return;
  if (outcome.type === "finished")
    throw new UserError(`${task} is done already; it is merged when you stop.`);
  if (outcome.type === "paused") throw new UserError(`${task} can't be worked on now: ${outcome.detail}`);
  await recordResult(context, attempt, outcome);
  throw new UserError(`${task} can't be worked on: ${outcome.setback.detail}`);
}

const WHY_NOT: { readonly [State in Exclude<TaskState, "ready">]: string } = {
  done: "is done",
  running: "is being worked on",
  merging: "waits for its merge, which happens when you stop",
  blocked: "waits for other tasks",
  "given-up": "was given up",
  skipped: "is left out",
};

function expectReady(
  workflow: Workflow,
  id: string,
  { isInPlace }: Pick<Workspace, "isInPlace">,
): PlannedTask {
  const task = workflow.plan.tasks.find((each) => each.id === id);
  if (task === undefined) throw new UserError(`The plan has no task ${id}; see them with: loop task`);
  const state = taskState(workflow, task);
  if (state !== "ready") throw new UserError(`${id} ${WHY_NOT[state]}; see the others with: loop task`);
  if (isSpent(workflow, id)) throw new UserError(`${id} has had all of its attempts.`);
  const [first] = running(workflow);
  if (first !== undefined && isInPlace)
    throw new UserError(
      `Without git the tasks are worked on one at a time; first finish ${first.task} with: loop task done ${first.task}, and stop.`,
    );
  if (running(workflow).length >= workflow.parallel)
    throw new UserError(
      `${workflow.parallel} tasks are at work, and no more may be; finish one with: loop task done ID`,
    );
  return task;
}

/** A wave is announced with the first of its tasks. */
function wavesUntil({ plan, wavesBegun }: Workflow, task: string): readonly LoopEvent[] {
  const wave = wavesOf(plan.tasks).get(task) ?? 1;
  return Array.from({ length: Math.max(0, wave - wavesBegun) }, (_, index) => ({
    type: "wave.begun",
    wave: wavesBegun + index + 1,
  }));
}

function whyNotReady(loop: Loop): string {
  const detail = loop.phase === "paused" ? loop.detail : null;
  return `Nothing can be worked on here: ${detail ?? "the loop is no longer this session's"}`;
}

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
    if (failed.length > 0) {
      await noteShortfall(context, attempt, failureOf(failed));
      await context.mirror.catchUp(context.live.loop);
      return failed;
    }
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
  const unkept = await context.workspace.keepUnfinished(envelope);
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

async function expectLoop(context: WorkflowContext, attempt: Attempt): Promise<KnownLoop> {
  const own = await loopOfAttempt(context.machine, context.live.project, attempt);
  if (own !== null) return own;
  throw new UserError(`The attempt at ${attempt.task} isn't prepared; run: loop task claim ${attempt.task}`);
}
