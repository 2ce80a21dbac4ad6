import type { Loop } from "../../core/loop/loop.ts";
import { isFinalTask } from "../../core/plan/plan.ts";
import { schedule } from "../../core/plan/schedule.ts";
import type { Facts, Step } from "../../core/plan/step.ts";
import type { WorkflowContext } from "./take-workflow.ts";
import { workflowOf } from "./take-workflow.ts";

interface Next {
  readonly steps: readonly Step[];
  /** Why attempts that could start don't, or not all of them; null: nothing keeps them. */
  readonly noRoom: string | null;
}

/** What this process does next. Room on the disk is looked for only when something could start. */
export async function nextSteps(
  context: WorkflowContext,
  loop: Loop,
  underWay: Facts["underWay"],
): Promise<Next> {
  const workflow = workflowOf(loop);
  const facts = await factsOf(context, loop, underWay);
  const stepsWith = (room: Facts["room"]): readonly Step[] => {
    const all = schedule(workflow, loop.stages, { ...facts, room });
    return context.isSession ? withoutSessions(all, loop) : all;
  };
  const steps = stepsWith(undefined);
  const starts = steps.filter(({ type }) => type === "start").length;
  const room = starts === 0 ? null : await context.workshop.room(workflow);
  if (room === null || room.attempts >= starts) return { steps, noRoom: null };
  return { steps: stepsWith(room), noRoom: room.why };
}

/**
 * Without what the session's own agents do: counsel, the review, and all tasks but the last ones, which only look whether the
 * criteria hold.
 */
function withoutSessions(steps: readonly Step[], { stages }: Loop): readonly Step[] {
  const isOurs = (step: Step): boolean => step.type === "start" && isFinalTask(step.task);
  const starts = steps.some(isOurs);
  return steps.filter((step) => {
    if (step.type === "start") return isOurs(step);
    if (step.type === "announce") return starts;
    if (step.type === "counsel") return stages?.policy.asks !== true;
    return !["wait", "review"].includes(step.type);
  });
}

async function factsOf(context: WorkflowContext, loop: Loop, underWay: Facts["underWay"]): Promise<Facts> {
  const foreseen = await context.workshop.foresee(workflowOf(loop));
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
    parallel: context.parallel,
    underWay,
    isSession: context.isSession,
    // Each run has its own patience; in a session, its agent is told.
    ...(context.isSession ? {} : { stuck: { limit: loop.limits.stuck, since: loop.turnStartedAt ?? 0 } }),
  };
}
