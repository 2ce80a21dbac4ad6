import { describeCommand } from "../core/loop/criterion.ts";
import type { Confidence, Loop, Task } from "../core/loop/loop.ts";
import { topFrame } from "../core/loop/loop.ts";
import { wavesIfSound } from "../core/plan/graph.ts";
import type { PlannedTask } from "../core/plan/plan.ts";
import { shownTask } from "../core/plan/shown-task.ts";
import type { Attempt, Setback } from "../core/plan/workflow.ts";
import { attemptsOf, taskState } from "../core/plan/workflow.ts";
import { failureLine } from "../core/plan/failure-text.ts";
import type { ShownState } from "./shown-state.ts";
import { shownState } from "./shown-state.ts";

/** One task as `loop task` shows it. Names are public; null where unknown. */
export interface TaskView extends Task {
  /** As the scheduler sees it; for a list of an agent's own, as far as that tells. */
  readonly state: ShownState;
  readonly check: string | null;
  /** Of what is on the branch. */
  readonly confidence: Confidence | null;
  /** Why that isn't "verified". */
  readonly doubts: readonly string[];
}

/** More of one task, as far as the loop has a plan. */
export interface TaskDetails extends TaskView {
  readonly description: string | null;
  /** A command that nobody has approved, and that is not run. */
  readonly proposed: string | null;
  readonly files: readonly string[];
  readonly estimateMs: number | null;
  readonly history: readonly AttemptView[];
}

interface AttemptView {
  readonly number: number;
  readonly loop: string;
  readonly agent: string;
  readonly state: Attempt["state"]["type"];
  /** Nobody works on it now, although it came to no end. */
  readonly isStopped: boolean;
  readonly iterations: number | null;
  readonly setback: Setback["kind"] | null;
  /** Why it came to nothing. */
  readonly detail: string | null;
  /** The same in a line. */
  readonly summary: string | null;
  readonly startedAt: string;
  readonly endedAt: string | null;
}

/** `isGone`: the run that worked on them was killed. */
export function taskViews(loop: Loop, isGone = false): readonly TaskView[] {
  const { tasks } = topFrame(loop);
  const waves = wavesIfSound(tasks);
  return tasks.map((task) => {
    const planned = loop.workflow?.plan.tasks.find(({ id }) => id === task.id);
    const shown = loop.workflow === null ? null : shownTask(loop.workflow, task.id);
    return {
      ...task,
      wave: task.wave ?? waves.get(task.id) ?? null,
      state:
        loop.workflow !== null && planned !== undefined
          ? shownState(loop, taskState(loop.workflow, planned), isGone)
          : listedState(task, tasks),
      check: checkOf(planned),
      confidence: shown?.confidence ?? null,
      doubts: shown?.doubts ?? [],
    };
  });
}

function checkOf(planned: PlannedTask | undefined): string | null {
  return planned?.check ? describeCommand(planned.check.command) : null;
}

/** `iterations`: how many each attempt took, by its number, where that is known. */
export function taskDetails(
  loop: Loop,
  view: TaskView,
  iterations: ReadonlyMap<number, number> = new Map(),
): TaskDetails {
  const planned = loop.workflow?.plan.tasks.find(({ id }) => id === view.id);
  const attempts = loop.workflow === null ? [] : attemptsOf(loop.workflow, view.id);
  return {
    ...view,
    description: planned?.description ?? null,
    proposed: planned?.proposed ?? null,
    files: planned?.files ?? [],
    estimateMs: planned?.estimateMs ?? null,
    history: attempts.map((attempt) => attemptView(attempt, view, iterations.get(attempt.number) ?? null)),
  };
}

/** As far as an agent's own list tells. */
export function listedState(
  task: Pick<Task, "status" | "blockedBy">,
  tasks: readonly Pick<Task, "id" | "status">[],
): "done" | "running" | "ready" | "blocked" {
  if (task.status === "completed") return "done";
  if (task.status === "in_progress") return "running";
  const isOpen = (id: string): boolean => tasks.some((each) => each.id === id && each.status !== "completed");
  return task.blockedBy.some(isOpen) ? "blocked" : "ready";
}

function attemptView(
  { number, loop, agent, state, startedAt, endedAt }: Attempt,
  view: TaskView,
  iterations: number | null,
): AttemptView {
  return {
    number,
    loop,
    agent,
    state: state.type,
    iterations,
    isStopped: view.state === "stopped" && (state.type === "running" || state.type === "finished"),
    setback: state.type === "set-back" ? state.setback.kind : null,
    detail: state.type === "set-back" ? `${state.setback.kind}: ${state.setback.detail}` : null,
    summary: state.type === "set-back" ? failureLine(state.setback.detail) : null,
    startedAt: new Date(startedAt).toISOString(),
    endedAt: endedAt === null ? null : new Date(endedAt).toISOString(),
  };
}
