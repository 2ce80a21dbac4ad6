import { carryOut, SETTLING } from "../../stop/background-job.ts";
import { decideStop } from "../../stop/decide-stop.ts";
import { topFrame, type Loop } from "../../../core/loop/loop.ts";
import type { KnownLoop } from "../../../storage/loops/known-loop.ts";
import type { Machine } from "../../../storage/loops/machine.ts";
import { awaited, running, type Attempt } from "../../../core/plan/workflow.ts";
import { SAID_NOTHING, type Settlement } from "../../../core/stop/facts.ts";
import { renderHold } from "../../../views/prompts/hold.ts";
import { loopOfAttempt } from "../begin-attempt.ts";
import { WorkerPool } from "../worker-pool.ts";
import { envelopeOf } from "../envelope.ts";
import type { AttemptOutcome } from "../executor.ts";
import { keepAttempt, recordResult } from "../keep-attempt.ts";
import { withoutRecords } from "../lost-records.ts";
import { recoverMerge } from "../merge-queue.ts";
import { workflowOf, type WorkflowContext } from "../take-workflow.ts";
import { workOnPlan } from "../work-on-plan.ts";
import { sessionContext } from "./session-context.ts";
import { noteShortfall } from "../stages/retry-advice.ts";

/** In the process that a hook started: settles the session's plan, and reports what became of it. */
export async function settleForJob(machine: Machine, chosen: KnownLoop, token: string): Promise<void> {
  await carryOut(machine, chosen, SETTLING, token, async () =>
    settleSession(sessionContext(machine, chosen, () => {})),
  );
}

/**
 * At a stop of the session: judges each task that its agent says is done, by the same decision that holds a plain loop,
 * and then merges, reviews and finishes what can be.
 */
async function settleSession(context: WorkflowContext): Promise<Settlement> {
  await recoverMerge(context);
  const rejected: { readonly task: string; readonly why: string }[] = [];
  for (const attempt of running(workflowOf(context.live.loop))) {
    const why = await judge(context, attempt).catch(async (error: unknown) => {
      const envelope = envelopeOf(context.live.loop, workflowOf(context.live.loop), attempt);
      return noteEnd(context, attempt, await withoutRecords(context, envelope, error));
    });
    if (why !== null) rejected.push({ task: attempt.task, why });
    await noteUnfinished(context, attempt, why);
  }
  const workerPool = new WorkerPool(context);
  try {
    await workOnPlan(context, workerPool);
  } finally {
    await workerPool.stop();
  }
  const loop = await context.live.refresh();
  await context.workspace.tidy(workflowOf(loop), { isOver: false });
  await context.mirror.catchUp(loop);
  return { rejected };
}

/** Whoever worked on it came back, and it isn't done: that counts, unless it was noticed since the last stop. */
async function noteUnfinished(
  context: WorkflowContext,
  { task, number }: Attempt,
  why: string | null,
): Promise<void> {
  const loop = await context.live.refresh();
  const attempt = awaited(workflowOf(loop), { task, number });
  const { iteration } = topFrame(loop);
  if (attempt === null || attempt.shortfalls?.some((each) => each.iteration === iteration) === true) return;
  await noteShortfall(context, attempt, why ?? "Its agent came back without saying that it is done.");
}

/** Why a task that is claimed to be done isn't; null: it is, or nobody claims so. */
async function judge(context: WorkflowContext, attempt: Attempt): Promise<string | null> {
  const { machine, live } = context;
  const own = await loopOfAttempt(machine, live.project, attempt);
  if (own === null) return null;
  const { loop } = own.live;
  if (loop.phase === "active" && !topFrame(loop).exitSignal) return null;
  const entry = { root: live.project.root, loop: own.id };
  const { verdict } = await decideStop(
    machine,
    { type: "loop", entry, known: own },
    {
      session: loop.binding?.session ?? null,
      stop: "end-of-turn",
      continuesHold: true,
      personPresent: false,
      holdCap: null,
      said: SAID_NOTHING,
      toolUses: null,
      edits: [],
    },
    { transcript: null },
    { hookTimeout: null, signal: context.interrupts.now },
  );
  if (verdict.type === "hold" && verdict.because === "unfinished") return renderHold(verdict.reason);
  return end(context, attempt, own.live.loop);
}

/** The attempt's own loop has ended or paused: its result is kept, and the workflow told. */
async function end(context: WorkflowContext, attempt: Attempt, loop: Loop): Promise<string | null> {
  const envelope = envelopeOf(context.live.loop, workflowOf(context.live.loop), attempt);
  return noteEnd(context, attempt, await keepAttempt(context.workspace, envelope, loop));
}

async function noteEnd(
  context: WorkflowContext,
  attempt: Attempt,
  outcome: AttemptOutcome,
): Promise<string | null> {
  switch (outcome.type) {
    case "finished":
      await recordResult(context, attempt, outcome);
      return null;
    case "set-back":
    case "blocked":
    case "unapproved":
      return (await recordResult(context, attempt, outcome)) === null ? null : outcome.setback.detail;
    case "paused":
      return outcome.detail;
    case "stopped":
      return null;
  }
}
