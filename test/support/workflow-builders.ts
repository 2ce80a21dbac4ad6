import type { EventOf } from "../../src/core/events/event.ts";
import { createLoopId } from "../../src/core/loop/id.ts";
import { evolveWorkflow } from "../../src/core/plan/evolve-workflow.ts";
import type { PlannedTask } from "../../src/core/plan/plan.ts";
import type { WorkflowEvent } from "../../src/core/plan/workflow-event.ts";
import type { Setback, Workflow } from "../../src/core/plan/workflow.ts";
import { START, shellCheck } from "./loop-builders.ts";

/** `commit("a")`: a commit of that one letter or digit. */
export function commit(letter: string): string {
  return letter.repeat(40);
}

/** `planned("T-2", ["T-1"])`: a task and its blockers. */
export function planned(
  id: string,
  blockedBy: readonly string[] = [],
  part: Partial<PlannedTask> = {},
): PlannedTask {
  return {
    id,
    subject: `Do ${id}`,
    description: "",
    check: shellCheck(`test ${id}`),
    proposed: null,
    blockedBy,
    files: [],
    estimateMs: null,
    ...part,
  };
}

export function adopted(
  tasks: readonly PlannedTask[],
  part: Partial<EventOf<"plan.adopted">> = {},
): EventOf<"plan.adopted"> {
  return {
    type: "plan.adopted",
    plan: { source: "file", tasks },
    parallel: 2,
    attemptLimit: 3,
    attemptUsd: null,
    ...part,
  };
}

export const branchBegun: EventOf<"branch.begun"> = {
  type: "branch.begun",
  name: "loop/fix-a1b2",
  from: commit("0"),
  userBranch: "main",
};

export function started(
  task: string,
  number = 1,
  part: Partial<EventOf<"attempt.started">> = {},
): EventOf<"attempt.started"> {
  return {
    type: "attempt.started",
    task,
    number,
    loop: createLoopId(`attempt at ${task}`, `a00${number}`),
    base: commit("0"),
    worktree: `/state/worktrees/${task}-${number}`,
    slot: 1,
    agent: "codex",
    reservedUsd: null,
    reservedTokens: null,
    ...part,
  };
}

export function finished(task: string, number = 1): EventOf<"attempt.finished"> {
  return { type: "attempt.finished", task, number, commit: commit("f"), confidence: "verified", doubts: [] };
}

export function setback(part: Partial<Setback> = {}): Setback {
  return { kind: "failed", detail: "the tests fail", carry: null, failing: [], ...part };
}

export function failed(task: string, number = 1, part: Partial<Setback> = {}): EventOf<"attempt.set-back"> {
  return { type: "attempt.set-back", task, number, setback: setback(part) };
}

export function mergeBegun(merge: number, ...tasks: readonly string[]): EventOf<"merge.begun"> {
  return { type: "merge.begun", merge, tasks, onto: commit("0") };
}

export function merged(merge: number, ...tasks: readonly string[]): EventOf<"merge.ended"> {
  return {
    type: "merge.ended",
    merge,
    accepted: tasks.map((task) => ({ task, commit: commit("b") })),
    setBack: [],
  };
}

/** All that a task goes through until it is on the branch, as merge number `merge`. */
export function done(task: string, merge: number): readonly WorkflowEvent[] {
  return [started(task), finished(task), mergeBegun(merge, task), merged(merge, task)];
}

/** A workflow to which, at once, these things happened. */
export function workflowWith(...events: readonly WorkflowEvent[]): Workflow {
  return workflowOver(...events.map((event) => [0, event] as const));
}

/** A workflow to which things happened at their own times, in milliseconds since the start. */
export function workflowOver(
  ...history: readonly (readonly [after: number, event: WorkflowEvent])[]
): Workflow {
  let workflow: Workflow | null = null;
  for (const [after, event] of history) workflow = evolveWorkflow(workflow, event, START + after);
  if (workflow === null) throw new Error("a workflow begins with its plan");
  return workflow;
}
