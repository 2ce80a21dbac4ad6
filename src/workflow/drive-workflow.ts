import { learnFromIt } from "../app/learn-from-it.ts";
import type { LoopEvent } from "../core/event.ts";
import type { Loop } from "../core/loop.ts";
import { isActiveFor, isEnded } from "../core/loop.ts";
import type { StartStep, Step } from "../core/plan/step.ts";
import { keyOf } from "../core/plan/step.ts";
import { usedUpLimit } from "../core/stop/limits.ts";
import { lastAttempt, running } from "../core/plan/workflow.ts";
import { INTERRUPTED } from "../run/interrupts.ts";
import { attemptStarted } from "./attempt-started.ts";
import { completionOf } from "./completion.ts";
import { endAttempts } from "./end-attempts.ts";
import { Crew } from "./crew.ts";
import { waitOf } from "./governor.ts";
import { isDeleted } from "./lost-records.ts";
import { nextSteps } from "./next-steps.ts";
import { giveCounsel } from "./stages/give-counsel.ts";
import { passGate } from "./stages/pass-gate.ts";
import { reviewWave } from "./stages/review-wave.ts";
import { reviewWork } from "./stages/review-work.ts";
import { settleFindings } from "./stages/settle-findings.ts";
import { recoverMerge } from "./recover-merge.ts";
import { beginMerge } from "./merge-queue.ts";
import type { WorkflowContext, WorkflowRequest } from "./take-workflow.ts";
import {
  pauseBlocked,
  recordOurs,
  releaseWorkflow,
  taskOf,
  takeWorkflow,
  workflowOf,
} from "./take-workflow.ts";
import { buryLoop } from "../store/tombstone.ts";
import { UserError } from "../loops/user-error.ts";
import type { LockedLoop } from "../loops/locked-loop.ts";
import type { Machine } from "../loops/machine.ts";
import { recordIf } from "../loops/record-if.ts";

/** How often it looks whether somebody paused or cancelled the loop. */
const LOOK_MS = 500;
const MOST_NAMED = 3;

/** Works on a plan until it is done, given up or paused: folds the journal, asks the scheduler, and does what it says. */
export async function driveWorkflow(
  machine: Machine,
  chosen: LockedLoop,
  request: WorkflowRequest,
): Promise<Loop> {
  const context = await takeWorkflow(machine, chosen, request);
  const crew = new Crew(context);
  try {
    try {
      if (await context.workshop.makeReady(context)) {
        await recoverMerge(context);
        for (const attempt of running(workflowOf(context.live.loop))) crew.start(attempt);
        await work(context, crew);
      } else if (context.interrupts.asked()) await recordOurs(context, [INTERRUPTED]);
    } finally {
      await crew.stop();
    }
    await clearUp(context);
  } catch (error) {
    if (await isDeleted(context.live)) await afterDeletion(context);
    throw error;
  } finally {
    await releaseWorkflow(context);
  }
  const loop = await context.live.refresh();
  if (loop.phase === "completed" && context.strangers().length > 0)
    throw new UserError(
      `The journal says that the loop ${loop.id} is completed, but this run did not decide that; somebody else wrote it. See: loop log --loop ${loop.id}`,
    );
  await learnFromIt(machine, context.live);
  context.tell({ type: "workflow-ended", loop });
  return loop;
}

/** Whoever cancelled the workflow meant its attempts, too. */
async function clearUp({ machine, live, workshop, mirror }: WorkflowContext): Promise<void> {
  const loop = await live.refresh();
  if (loop.phase === "cancelled") await endAttempts(machine, live);
  await workshop.tidy(workflowOf(loop), { isOver: isEnded(loop) });
  await mirror.catchUp(loop);
}

/** Somebody deleted the loop's records. What is known of it here is enough to keep the work. */
async function afterDeletion({ machine, run, live, workshop }: WorkflowContext): Promise<never> {
  const { root } = live.project;
  const workflow = workflowOf(live.loop);
  buryLoop(machine.home, { root, loop: live.id, session: run, at: machine.now() });
  await workshop.tidy(workflow, { isOver: true });
  const name = workflow.branch?.name ?? null;
  const kept =
    name === null
      ? ""
      : ` What was merged is on the branch ${name}; take it with: git merge ${name}. All other work is kept in refs/loopwright/${live.id}/tasks.`;
  throw new UserError(`The records of the loop ${live.id} were deleted, which cancels it.${kept}`);
}

/** Until nothing is left to do for whoever works on it. */
export async function work(context: WorkflowContext, crew: Crew): Promise<void> {
  // Said once, until something starts again.
  let isFull = false;
  for (;;) {
    const loop = await context.live.refresh();
    if (!isActiveFor(loop, context.run)) return;
    context.mirror.follow(loop);
    if (context.interrupts.asked()) {
      await crew.settle();
      await recordOurs(context, [INTERRUPTED]);
      return;
    }
    const trip = usedUpLimit(loop, context.machine.now());
    if (trip !== null) {
      await recordOurs(context, [{ type: "loop.paused", ...trip, by: "machine" }]);
      return;
    }
    const { steps, noRoom } = await nextSteps(context, loop, crew.underWay);
    if (context.isSession && steps.length === 0 && crew.isIdle) return;
    // Worktrees that are being removed make room.
    if (noRoom !== null && !crew.isIdle && steps.some(({ type }) => type === "pause")) {
      await crew.next(LOOK_MS);
      continue;
    }
    if (noRoom !== null && !isFull && !steps.some(({ type }) => type === "pause"))
      context.tell({ type: "no-room", why: noRoom });
    isFull = noRoom !== null || (isFull && !steps.some(({ type }) => type === "start"));
    const isOver = await carryOut(context, crew, steps);
    if (isOver) return;
    if (steps.every(isIdle)) await crew.next(LOOK_MS);
  }
}

function isIdle({ type }: Step): boolean {
  return type === "wait";
}

/** True when nothing more is to be done. */
async function carryOut(context: WorkflowContext, crew: Crew, steps: readonly Step[]): Promise<boolean> {
  for (const step of steps) {
    switch (step.type) {
      case "announce": {
        const loop = await recordOurs(context, [{ type: "wave.begun", wave: step.wave }]);
        if (loop === null) return true;
        const tasks = workflowTasksOf(loop, step.wave);
        context.tell({ type: "wave-began", loop, wave: step.wave, tasks });
        break;
      }
      case "wave-done": {
        const loop = await recordOurs(context, [{ type: "wave.ended", wave: step.wave }]);
        if (loop === null) return true;
        context.tell({ type: "wave-ended", loop, wave: step.wave });
        if (!(await personGoesOn(context, loop))) return true;
        break;
      }
      case "start":
        await start(context, crew, step);
        break;
      case "merge": {
        const merge = await beginMerge(context, step.tasks);
        if (merge !== null) crew.merge(merge);
        break;
      }
      case "give-up": {
        const loop = await recordOurs(context, [{ type: "task.given-up", task: step.task, why: step.why }]);
        if (loop === null) return true;
        context.tell({ type: "given-up", task: taskOf(context, step.task), why: step.why });
        break;
      }
      case "wait":
        break;
      case "counsel":
        crew.ask(keyOf(step), async (signal) => giveCounsel(context, step.task, step.after, signal));
        break;
      case "review-wave":
        crew.ask(keyOf(step), async (signal) => reviewWave(context, step.wave, signal));
        break;
      case "review":
        crew.ask(keyOf(step), async (signal) => reviewWork(context, step.round, signal));
        break;
      case "resolve":
        crew.ask(keyOf(step), async (signal) => settleFindings(context, step.round, signal));
        break;
      case "gate":
        crew.ask(keyOf(step), async (signal) => passGate(context, step.round, signal));
        break;
      case "pause":
        await recordOurs(context, [
          { type: "loop.paused", reason: step.reason, detail: step.detail, by: "machine" },
        ]);
        return true;
      case "finish":
        await finish(context);
        return true;
    }
  }
  return false;
}

/** Asks the person at the terminal, while attempts that run go on; pauses if they say no. */
async function personGoesOn(context: WorkflowContext, loop: Loop): Promise<boolean> {
  const { goesOn, interrupts } = context;
  const isOver = loop.frames[0].tasks.every(({ status }) => status === "completed");
  if (goesOn === null || loop.shape !== "colleague" || isOver || interrupts.asked()) return true;
  const answer = await goesOn(loop, interrupts.now);
  if (answer === "once") return true;
  const event: LoopEvent =
    answer === "always"
      ? { type: "shape.changed", shape: "tool", by: "person" }
      : { type: "loop.paused", reason: "user", detail: null, by: "person" };
  await recordOurs(context, [event]);
  return answer === "always";
}

function workflowTasksOf(loop: Loop, wave: number): number {
  return loop.frames[0].tasks.filter((task) => task.wave === wave).length;
}

async function start(context: WorkflowContext, crew: Crew, step: StartStep): Promise<void> {
  const { live, run, machine, workshop } = context;
  const task = taskOf(context, step.task);
  const loop = await recordIf(
    live.record,
    // One that began just before it may have met the limit at once.
    (now) => isActiveFor(now, run) && waitOf(workflowOf(now), step.agent, machine.now()) === null,
    (now) => [attemptStarted(workshop, workflowOf(now), task, step)],
  );
  const attempt = loop === null ? null : lastAttempt(workflowOf(loop), task.id);
  if (loop === null || attempt === null) return;
  context.tell({ type: "attempt-began", loop, task, attempt });
  crew.start(attempt);
}

/** The work of all tasks is on the loop's branch. */
async function finish(context: WorkflowContext): Promise<void> {
  const strangers = context.strangers();
  if (strangers.length > 0) {
    const named = strangers.slice(0, MOST_NAMED).join("; ");
    await pauseBlocked(
      context,
      `the journal has results that this run did not decide: ${named}. Look at them with loop log; loop continue takes them as they are.`,
    );
    return;
  }
  const delivery = await context.workshop.deliver(workflowOf(context.live.loop), async (from) => {
    const now = await recordOurs(context, [{ type: "delivery.begun", from }]);
    return now !== null && isActiveFor(now, context.run);
  });
  // Once it is completed, nobody comes back to remove them, or to mark what is done.
  await context.workshop.tidy(workflowOf(context.live.loop), { isOver: true });
  await context.mirror.catchUp(context.live.loop);
  const delivered: readonly LoopEvent[] = delivery === null ? [] : [{ type: "work.delivered", delivery }];
  const loop = await recordOurs(context, [
    ...delivered,
    { type: "loop.completed", ...completionOf(context.live.loop), changed: null },
  ]);
  if (delivery !== null && loop !== null) context.tell({ type: "delivered", loop, delivery });
}
