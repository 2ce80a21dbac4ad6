import { ImpossibleEvent } from "../impossible-event.ts";
import type { WorkflowEvent } from "./workflow-event.ts";
import type { Attempt, AttemptState, Workflow } from "./workflow.ts";
import { lastAttempt, plusTime, withAttempt } from "./workflow.ts";

type EventOf<Type extends WorkflowEvent["type"]> = Extract<WorkflowEvent, { readonly type: Type }>;

export function beginMerge(workflow: Workflow, event: EventOf<"merge.begun">, at: number): Workflow {
  const { merge: id, tasks, onto } = event;
  if (workflow.merge !== null) throw new ImpossibleEvent("a merge begins while another one runs");
  if (id !== workflow.merges + 1) throw new ImpossibleEvent(`merge ${id} follows merge ${workflow.merges}`);
  if (tasks.length === 0 || new Set(tasks).size < tasks.length)
    throw new ImpossibleEvent(`a merge of ${tasks.length === 0 ? "nothing" : "one task twice"}`);
  for (const task of tasks) expectResult(workflow, task);
  return { ...workflow, merge: { id, tasks, onto, startedAt: at }, merges: id };
}

/** Results that were neither accepted nor set back stay as they are, and are merged again. */
export function endMerge(workflow: Workflow, event: EventOf<"merge.ended">, at: number): Workflow {
  const { merge, branch } = workflow;
  if (merge === null || merge.id !== event.merge)
    throw new ImpossibleEvent(`merge ${event.merge} ends, but doesn't run`);
  const measured = { ...workflow.measured, merges: plusTime(workflow.measured.merges, at - merge.startedAt) };
  let next: Workflow = { ...workflow, merge: null, measured };
  for (const { task, commit } of event.accepted) {
    const last = expectMerged(next, merge.tasks, task);
    next = withAttempt(next, { ...last, state: { ...last.state, type: "integrated", commit } });
  }
  for (const { task, setback } of event.setBack) {
    const last = expectMerged(next, merge.tasks, task);
    next = withAttempt(next, { ...last, state: { type: "set-back", setback } });
  }
  const tip = event.accepted.at(-1)?.commit ?? null;
  return tip === null || branch === null ? next : { ...next, branch: { ...branch, tip } };
}

type Finished = Attempt & { readonly state: Extract<AttemptState, { type: "finished" }> };

function expectMerged(workflow: Workflow, merged: readonly string[], task: string): Finished {
  if (!merged.includes(task)) throw new ImpossibleEvent(`${task} isn't part of the merge that ends`);
  return expectResult(workflow, task);
}

function expectResult(workflow: Workflow, task: string): Finished {
  const last = lastAttempt(workflow, task);
  if (last === null || last.state.type !== "finished")
    throw new ImpossibleEvent(`a merge of ${task}, which has no result`);
  return { ...last, state: last.state };
}
