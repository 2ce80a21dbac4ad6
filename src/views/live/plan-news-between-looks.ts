import type { Loop } from "../../core/loop/loop.ts";
import type { PlannedTask } from "../../core/plan/plan.ts";
import type { Attempt, Workflow } from "../../core/plan/workflow.ts";
import { attemptsOf, waves } from "../../core/plan/workflow.ts";
import type { Stages } from "../../core/stages/stages.ts";
import type { WorkflowNews } from "../news/workflow-news.ts";

/** What happened to a plan between two looks at it, as its own run tells it. */
export function planNewsBetweenLooks(earlier: Loop, loop: Loop): readonly WorkflowNews[] {
  const { workflow: before } = earlier;
  const { workflow: after } = loop;
  if (before === null || after === null) return [];
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
  return [
    ...wavesEnded(before, loop, after),
    ...wavesBegun(before, loop, after),
    ...attempts,
    ...givenUp,
    ...judgement(earlier.stages, loop, task),
  ];
}

/** Each list only grows. */
function judgement(
  before: Stages | null,
  loop: Loop,
  task: (id: string) => PlannedTask | undefined,
): readonly WorkflowNews[] {
  const { stages: after } = loop;
  if (before === null || after === null) return [];
  return [
    ...after.counsels.slice(before.counsels.length).flatMap((counsel): readonly WorkflowNews[] => {
      const planned = task(counsel.task);
      return planned === undefined ? [] : [{ type: "counselled", loop, task: planned, counsel }];
    }),
    ...after.waveReviews
      .slice(before.waveReviews.length)
      .map((review): WorkflowNews => ({ type: "wave-reviewed", loop, review })),
    ...after.reviews
      .slice(before.reviews.length)
      .map((review): WorkflowNews => ({ type: "work-reviewed", loop, review })),
    ...after.gates
      .slice(before.gates.length)
      .map((verdict): WorkflowNews => ({ type: "gate-judged", loop, verdict })),
  ];
}

function newsOf(
  loop: Loop,
  task: PlannedTask,
  attempt: Attempt,
  known: Attempt | undefined,
): readonly WorkflowNews[] {
  const began: readonly WorkflowNews[] =
    known === undefined ? [{ type: "attempt-began", loop, task, attempt, isResumed: false }] : [];
  const { state } = attempt;
  if (state.type === known?.state.type) return began;
  switch (state.type) {
    case "running":
      return began;
    case "finished":
      return [...began, { type: "attempt-finished", loop, task, attempt, doubts: state.doubts }];
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
