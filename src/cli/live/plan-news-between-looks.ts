import type { Loop } from "../../core/loop.ts";
import type { PlannedTask } from "../../core/plan/plan.ts";
import type { Attempt, Workflow } from "../../core/plan/workflow.ts";
import { attemptsOf, waves } from "../../core/plan/workflow.ts";
import type { WorkflowNews } from "../../workflow/workflow-news.ts";

/** What happened to a plan between two looks at it, as its own run tells it. */
export function planNewsBetweenLooks(before: Workflow, loop: Loop, after: Workflow): readonly WorkflowNews[] {
  const task = (id: string): PlannedTask | undefined => after.plan.tasks.find((each) => each.id === id);
  const attempts = after.attempts.flatMap((attempt) => {
    const known = attemptsOf(before, attempt.task).find(({ number }) => number === attempt.number);
    const planned = task(attempt.task);
    return planned === undefined ? [] : newsOf(loop, planned, attempt, known);
  });
  const givenUp = after.givenUp.slice(before.givenUp.length).flatMap(({ task: id, why }): WorkflowNews[] => {
    const planned = task(id);
    return planned === undefined ? [] : [{ type: "given-up", task: planned, why }];
  });
  return [...wavesEnded(before, loop, after), ...wavesBegun(before, loop, after), ...attempts, ...givenUp];
}

function newsOf(
  loop: Loop,
  task: PlannedTask,
  attempt: Attempt,
  known: Attempt | undefined,
): readonly WorkflowNews[] {
  const began: readonly WorkflowNews[] =
    known === undefined ? [{ type: "attempt-began", loop, task, attempt }] : [];
  const { state } = attempt;
  if (state.type === known?.state.type) return began;
  switch (state.type) {
    case "running":
      return began;
    case "finished":
      return [...began, { type: "attempt-finished", loop, task, attempt }];
    case "integrated":
      return [...began, { type: "merged", loop, task, commit: state.commit }];
    case "set-back":
      return [...began, { type: "set-back", loop, task, setback: state.setback }];
  }
}

function wavesBegun(before: Workflow, loop: Loop, after: Workflow): readonly WorkflowNews[] {
  return waves(after.plan)
    .map((tasks, index) => ({ wave: index + 1, tasks: tasks.length }))
    .slice(before.wavesBegun, after.wavesBegun)
    .map(({ wave, tasks }) => ({ type: "wave-began", loop, wave, tasks }));
}

function wavesEnded(before: Workflow, loop: Loop, after: Workflow): readonly WorkflowNews[] {
  return waves(after.plan)
    .map((_, index) => index + 1)
    .slice(before.wavesDone, after.wavesDone)
    .map((wave) => ({ type: "wave-ended", loop, wave }));
}
