import type { LoopEvent } from "../../core/events/event.ts";
import { isActiveFor, type Loop } from "../../core/loop/loop.ts";
import { keyOf, type StartStep, type Step, type Facts } from "../../core/plan/step.ts";
import { usedUpLimit } from "../../core/stop/limits.ts";
import { areAllSettled, lastAttempt, waves, type Workflow } from "../../core/plan/workflow.ts";
import { INTERRUPTED } from "../run/run-context.ts";
import { attemptStarted } from "./envelope.ts";
import { waitOf } from "./rate-limiter.ts";
import type { WorkerPool } from "./worker-pool.ts";
import { giveCounsel } from "./stages/retry-advice.ts";
import { passGate } from "./stages/pass-gate.ts";
import { reviewWave, reviewWork } from "./stages/review-work.ts";
import { settleFindings } from "./stages/settle-findings.ts";
import { beginMerge } from "./merge-queue.ts";
import { taskOf, workflowOf, type WorkflowContext } from "./take-workflow.ts";
import { recordOurs } from "../run/take-loop.ts";
import { recordIf } from "../../storage/loops/journal-entries.ts";
import { finishPlan } from "./finish-plan.ts";
import { isFinalTask } from "../../core/plan/plan.ts";
import { wavesOf } from "../../core/plan/graph.ts";
import { schedule } from "../../core/plan/schedule.ts";

/** How often to check whether somebody paused or cancelled the loop. */
const LOOK_MS = 500;

/** Folds the journal, asks the scheduler and does what it says, until nothing is left to do for whoever works on it. */
export async function workOnPlan(context: WorkflowContext, workerPool: WorkerPool): Promise<void> {
  // Said once, until something starts again.
  let isFull = false;
  for (;;) {
    const loop = await context.live.refresh();
    if (!isActiveFor(loop, context.run)) return;
    context.mirror.follow(loop);
    if (context.interrupts.asked()) {
      await workerPool.settle();
      await recordOurs(context, [INTERRUPTED]);
      return;
    }
    const trip = usedUpLimit(loop, context.machine.now());
    if (trip !== null) {
      await recordOurs(context, [{ type: "loop.paused", ...trip, by: "machine" }]);
      return;
    }
    const { steps, noRoom } = await nextSteps(context, loop, workerPool.underWay);
    if (context.isSession && steps.length === 0 && workerPool.isIdle) return;
    // Worktrees that are being removed make room.
    if (noRoom !== null && !workerPool.isIdle && steps.some(({ type }) => type === "pause")) {
      await workerPool.next(LOOK_MS);
      continue;
    }
    if (noRoom !== null && !isFull && !steps.some(({ type }) => type === "pause"))
      context.tell({ type: "no-room", why: noRoom });
    isFull = noRoom !== null || (isFull && !steps.some(({ type }) => type === "start"));
    const isOver = await carryOut(context, workerPool, steps);
    if (isOver) return;
    if (steps.every(isIdle)) await workerPool.next(LOOK_MS);
  }
}

function isIdle({ type }: Step): boolean {
  return type === "wait";
}

/** True when nothing more is to be done. */
async function carryOut(
  context: WorkflowContext,
  workerPool: WorkerPool,
  steps: readonly Step[],
): Promise<boolean> {
  for (const step of steps) {
    switch (step.type) {
      case "announce": {
        const loop = await recordOurs(context, [{ type: "wave.begun", wave: step.wave }]);
        if (loop === null) return true;
        const tasks = waves(workflowOf(loop).plan)[step.wave - 1]?.length ?? 0;
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
        await start(context, workerPool, step);
        break;
      case "merge": {
        const merge = await beginMerge(context, step.tasks);
        if (merge !== null) workerPool.merge(merge);
        break;
      }
      case "give-up": {
        const loop = await recordOurs(context, [{ type: "task.given-up", task: step.task, why: step.why }]);
        if (loop === null) return true;
        context.tell({ type: "given-up", task: taskOf(context, step.task), why: step.why });
        break;
      }
      case "leave-out": {
        const events = step.tasks.map((each): LoopEvent => ({
          type: "task.skipped",
          ...each,
          by: "machine",
        }));
        const loop = await recordOurs(context, events);
        if (loop === null) return true;
        context.tell({ type: "left-out", tasks: step.tasks.map(({ task }) => task) });
        break;
      }
      case "wait":
        break;
      case "counsel":
        workerPool.ask(keyOf(step), async (signal) => giveCounsel(context, step.task, step.after, signal));
        break;
      case "review-wave":
        workerPool.ask(keyOf(step), async (signal) => reviewWave(context, step.wave, signal));
        break;
      case "review":
        workerPool.ask(keyOf(step), async (signal) => reviewWork(context, step.round, signal));
        break;
      case "resolve":
        workerPool.ask(keyOf(step), async (signal) => settleFindings(context, step.round, signal));
        break;
      case "gate":
        workerPool.ask(keyOf(step), async (signal) => passGate(context, step.round, signal));
        break;
      case "pause":
        await recordOurs(context, [
          { type: "loop.paused", reason: step.reason, detail: step.detail, by: "machine" },
        ]);
        return true;
      case "finish":
        await finishPlan(context);
        return true;
    }
  }
  return false;
}

/** Asks the person at the terminal, while attempts that run go on; pauses if they say no. */
async function personGoesOn(context: WorkflowContext, loop: Loop): Promise<boolean> {
  const { goesOn, interrupts } = context;
  const workflow = workflowOf(loop);
  const isOver = areAllSettled(workflow);
  if (goesOn === null || !isAskedAfterWaves(context, loop) || isOver || interrupts.asked()) return true;
  const answer = await goesOn(loop, interrupts.now);
  if (answer === "once") return true;
  const event: LoopEvent =
    answer === "always"
      ? { type: "shape.changed", shape: "tool", by: "person" }
      : { type: "loop.paused", reason: "user", detail: null, by: "person" };
  await recordOurs(context, [event]);
  return answer === "always";
}

async function start(context: WorkflowContext, workerPool: WorkerPool, step: StartStep): Promise<void> {
  const { live, run, machine, workspace } = context;
  const task = taskOf(context, step.task);
  const loop = await recordIf(
    live.record,
    // One that began just before it may have met the limit at once.
    (now) => isActiveFor(now, run) && waitOf(workflowOf(now), step.agent, machine.now()) === null,
    (now) => [attemptStarted(workspace, workflowOf(now), task, step)],
  );
  const attempt = loop === null ? null : lastAttempt(workflowOf(loop), task.id);
  if (loop === null || attempt === null) return;
  context.tell({ type: "attempt-began", loop, task, attempt, isResumed: false });
  workerPool.start(attempt);
}

interface Next {
  readonly steps: readonly Step[];
  /** Why attempts that could start don't, or not all of them; null: nothing keeps them. */
  readonly noRoom: string | null;
}

/** What this process does next. Room on the disk is looked for only when something could start. */
async function nextSteps(context: WorkflowContext, loop: Loop, underWay: Facts["underWay"]): Promise<Next> {
  const workflow = workflowOf(loop);
  const facts = await factsOf(context, loop, underWay);
  const stepsWith = (room: Facts["room"]): readonly Step[] => {
    const all = schedule(workflow, loop.stages, { ...facts, room });
    if (context.isSession) return withoutSessions(all, loop, context);
    return isAskedAfterWaves(context, loop) ? withoutLaterWaves(all, workflow) : all;
  };
  const steps = stepsWith(undefined);
  const starts = steps.filter(({ type }) => type === "start").length;
  const room = starts === 0 ? null : await context.workspace.room(workflow);
  if (room === null || room.attempts >= starts) return { steps, noRoom: null };
  return { steps: stepsWith(room), noRoom: room.why };
}

/**
 * Without what the session's own agents and its user do: counsel, the review, what becomes of findings, and all tasks but the last ones, which only look whether the
 * criteria hold.
 */
function withoutSessions(
  steps: readonly Step[],
  { stages }: Loop,
  { asksUser }: Pick<WorkflowContext, "asksUser">,
): readonly Step[] {
  const isOurs = (step: Step): boolean => step.type === "start" && isFinalTask(step.task);
  const starts = steps.some(isOurs);
  return steps.filter((step) => {
    if (step.type === "start") return isOurs(step);
    if (step.type === "announce") return starts;
    if (step.type === "counsel") return stages?.policy.asks !== true;
    if (step.type === "resolve") return !asksUser;
    return !["wait", "review"].includes(step.type);
  });
}

/** Where a person says after each wave whether to go on, nothing of the next one begins before. */
function withoutLaterWaves(steps: readonly Step[], { plan, wavesDone }: Workflow): readonly Step[] {
  const waveOf = wavesOf(plan.tasks);
  return steps.filter((step) => {
    if (step.type === "announce") return step.wave <= wavesDone + 1;
    return step.type !== "start" || (waveOf.get(step.task) ?? 1) <= wavesDone + 1;
  });
}

function isAskedAfterWaves({ goesOn }: Pick<WorkflowContext, "goesOn">, { shape }: Loop): boolean {
  return goesOn !== null && shape === "colleague";
}

async function factsOf(context: WorkflowContext, loop: Loop, underWay: Facts["underWay"]): Promise<Facts> {
  const foreseen = await context.workspace.foresee(workflowOf(loop));
  return {
    now: context.machine.now(),
    budgetUsd: loop.limits.budgetUsd,
    spentUsd: loop.spend.usd,
    tokenLimit: loop.limits.tokens,
    spentTokens: loop.spend.tokens,
    turnUsd: loop.dearestTurnUsd,
    areCapped: context.areCapped,
    agents: context.agents,
    overlap: (one, other) => foreseen(one, other) ?? context.overlap(one, other),
    isGit: workflowOf(loop).branch !== null,
    parallel: context.parallel(),
    underWay,
    isSession: context.isSession,
    deliversDone: context.deliversDone,
    // Each run has its own timeout; in a session, its agent is told.
    ...(context.isSession ? {} : { stuck: { limit: loop.limits.stuck, since: loop.turnStartedAt ?? 0 } }),
  };
}
