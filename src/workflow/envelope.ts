import type { Loop } from "../core/loop.ts";
import type { Attempt, Workflow } from "../core/plan/workflow.ts";
import { attemptsOf } from "../core/plan/workflow.ts";
import { attemptSpec } from "./attempt-spec.ts";
import { isFinalTask } from "./final-tasks.ts";
import type { AttemptEnvelope } from "./executor.ts";

/** How many iterations one attempt has; the workflow's own limit counts attempts. */
const ITERATIONS = 10;

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
    criteria: task.check === null ? [] : [{ name: `${task.id} is done`, check: task.check }],
    mustNots: loop.mustNots,
    protects: loop.protects,
    mayChange: loop.mayChange,
    proof: loop.proof,
    limits: { ...loop.limits, budgetUsd: attempt.reservedUsd },
    iterationLimit: ITERATIONS,
    mayBeDone: isFinalTask(task.id),
    recall: loop.recall,
  };
}
