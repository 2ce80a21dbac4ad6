import { standardOf } from "../../core/loop/criterion.ts";
import { isWorkflow, topFrame, type Loop } from "../../core/loop/loop.ts";
import { stageOf, type Stages } from "../../core/stages/stages.ts";
import { knownText, rowOf } from "../criterion.ts";
import { iterationLine, stepDoneLine } from "../loop-lines.ts";
import { planLine, stageLine } from "../plan.ts";
import { waitLine } from "../terminal/run-view.ts";
import { shownLine } from "../terminal/criterion-lines.ts";
import { workflowLines } from "../terminal/workflow-view.ts";
import type { Terminal } from "../terminal/terminal.ts";
import type { PlannedTask } from "../../core/plan/plan.ts";
import { attemptsOf, waves, type Attempt, type Workflow } from "../../core/plan/workflow.ts";
import type { WorkflowNews } from "../news/news.ts";

/** What happened to a loop between two looks, in the lines its own run prints. */
export function newsBetweenLooks(
  terminal: Terminal,
  before: Loop,
  after: Loop,
  now: number,
): readonly string[] {
  if (before.workflow !== null && after.workflow !== null) {
    const news = planNewsBetweenLooks(before, after);
    return news.flatMap((each) => workflowLines(terminal, each, now));
  }
  if (isWorkflow(before) && isWorkflow(after)) return newStage(before, after);
  return [
    ...finishedSteps(before, after),
    ...newEvidence(terminal, before, after),
    ...newIteration(before, after),
    ...newWait(before, after, now),
  ];
}

/** Until there is a plan, and the beginning of work on it. */
function newStage(before: Loop, after: Loop): readonly string[] {
  if (stageOf(before) === stageOf(after) || after.phase !== "active") return [];
  return [after.workflow === null ? stageLine(after) : planLine(after)];
}

function finishedSteps(before: Loop, after: Loop): readonly string[] {
  const open = new Set(topFrame(before).steps.flatMap(({ name, done }) => (done ? [] : [name])));
  return topFrame(after).steps.flatMap(({ name, done }) =>
    done && open.has(name) ? [stepDoneLine(after, name)] : [],
  );
}

function newEvidence(terminal: Terminal, before: Loop, after: Loop): readonly string[] {
  const known = new Map(topFrame(before).criteria.map(({ name, evidence }) => [name, evidence?.at]));
  return topFrame(after).criteria.flatMap((criterion) => {
    const { name, evidence } = criterion;
    if (evidence === null || known.get(name) === evidence.at) return [];
    const row = rowOf(criterion, standardOf(after));
    return [shownLine(terminal, after, row, [knownText(row), ...row.doubts].join(", "))];
  });
}

function newIteration(before: Loop, after: Loop): readonly string[] {
  const isNews =
    topFrame(before).iteration !== topFrame(after).iteration || before.frames.length !== after.frames.length;
  return isNews && after.phase === "active" ? [iterationLine(after)] : [];
}

function newWait(before: Loop, after: Loop, now: number): readonly string[] {
  const until = after.driven?.waitsUntil ?? null;
  if (until === null || until === before.driven?.waitsUntil || after.phase !== "active") return [];
  return [waitLine(until, now, "usage limit")];
}

/** What happened to a plan between two looks at it, as its own run tells it. */
function planNewsBetweenLooks(earlier: Loop, loop: Loop): readonly WorkflowNews[] {
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
