import type { Loop } from "../../core/loop/loop.ts";
import type { PlannedTask } from "../../core/plan/plan.ts";
import { isFinalTask } from "../../core/plan/plan.ts";
import type { Attempt, Workflow } from "../../core/plan/workflow.ts";
import { attemptsOf, setbacksOf } from "../../core/plan/workflow.ts";
import { attemptSpec } from "./attempt-spec.ts";
import type { AttemptEnvelope } from "./executor.ts";

/** How many iterations one attempt has; the workflow's own limit counts attempts. */
const ITERATIONS = 10;

/**
 * The task's own check, and those that failed once its work was merged: an attempt can't finish while the combination is still red. Each
 * has the name of its task.
 */
function criteriaOf(workflow: Workflow, task: PlannedTask): AttemptEnvelope["criteria"] {
  const failing = new Set(setbacksOf(workflow, task.id).flatMap((setback) => setback.failing));
  failing.delete(task.id);
  const others = workflow.plan.tasks.flatMap(({ id, check }) =>
    failing.has(id) && check !== null ? [{ name: id, check }] : [],
  );
  return [...(task.check === null ? [] : [{ name: task.id, check: task.check }]), ...others];
}

export function envelopeOf(loop: Loop, workflow: Workflow, attempt: Attempt): AttemptEnvelope {
  const task = workflow.plan.tasks.find(({ id }) => id === attempt.task);
  if (task === undefined) throw new Error(`an attempt at ${attempt.task}, which isn't in the plan`);
  const before = attemptsOf(workflow, task.id).find(({ number }) => number === attempt.number - 1);
  return {
    version: 1,
    key: `${loop.id}/${task.id}/${attempt.number}`,
    workflow: loop.id,
    task: task.id,
    number: attempt.number,
    loop: attempt.loop,
    base: attempt.base,
    carry: before?.state.type === "set-back" ? before.state.setback.carry : null,
    worktree: attempt.worktree,
    folder: loop.folder,
    slot: attempt.slot,
    agent: attempt.agent,
    spec: attemptSpec(loop, workflow, task),
    criteria: criteriaOf(workflow, task),
    mustNots: loop.mustNots,
    protects: loop.protects,
    mayChange: loop.mayChange,
    proof: loop.proof,
    limits: {
      ...loop.limits,
      budgetUsd: attempt.reservedUsd,
      // A session's agent is charged as a whole.
      tokens: attempt.reservedTokens ?? loop.limits.tokens,
    },
    turnUsd: loop.dearestTurnUsd,
    iterationLimit: ITERATIONS,
    mayBeDone: isFinalTask(task.id),
    recall: loop.recall,
  };
}
