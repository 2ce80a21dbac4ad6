import type { Loop } from "../core/loop.ts";
import { schedule } from "../core/plan/schedule.ts";
import type { Facts, Step } from "../core/plan/step.ts";
import type { WorkflowContext } from "./take-workflow.ts";
import { workflowOf } from "./take-workflow.ts";

interface Next {
  readonly steps: readonly Step[];
  /** Why attempts that could start don't, or not all of them; null: nothing keeps them. */
  readonly noRoom: string | null;
}

/** Room on the disk is looked for only when something could start. */
export async function nextSteps(context: WorkflowContext, loop: Loop): Promise<Next> {
  const workflow = workflowOf(loop);
  const facts = await factsOf(context, loop);
  const steps = schedule(workflow, facts);
  const starts = steps.filter(({ type }) => type === "start").length;
  const room = starts === 0 ? null : await context.workshop.room(workflow);
  if (room === null || room.attempts >= starts) return { steps, noRoom: null };
  return { steps: schedule(workflow, { ...facts, room }), noRoom: room.why };
}

async function factsOf(context: WorkflowContext, loop: Loop): Promise<Facts> {
  const foreseen = await context.workshop.foresee(workflowOf(loop));
  return {
    now: context.machine.now(),
    budgetUsd: loop.limits.budgetUsd,
    spentUsd: loop.spend.usd,
    agents: context.agents,
    overlap: (one, other) => foreseen(one, other) ?? context.overlap(one, other),
    isGit: workflowOf(loop).branch !== null,
  };
}
