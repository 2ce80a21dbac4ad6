import { describeCommand } from "../core/loop/criterion.ts";
import { topFrame, type Confidence, type Loop, type Task, type Frame } from "../core/loop/loop.ts";
import { wavesIfSound } from "../core/plan/graph.ts";
import type { PlannedTask } from "../core/plan/plan.ts";
import { shownTask, failureLine } from "../core/plan/shown-task.ts";
import { attemptsOf, taskState, type Attempt, type Setback, type TaskState } from "../core/plan/workflow.ts";

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
  /** Of a fleet; null: it was made here. */
  readonly worker: string | null;
  readonly state: Attempt["state"]["type"];
  /** Nobody works on it now, although it came to no end. */
  readonly isStopped: boolean;
  readonly iterations: number | null;
  readonly setback: Setback["kind"] | null;
  /** Why it came to nothing. */
  readonly detail: string | null;
  /** The detail in a line. */
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
  { number, loop, agent, worker, state, startedAt, endedAt }: Attempt,
  view: TaskView,
  iterations: number | null,
): AttemptView {
  return {
    number,
    loop,
    agent,
    worker: worker ?? null,
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

/** How far a task is, as people see it. `stopped`: it was begun, and nobody works on it now. */
export type ShownState = TaskState | "stopped";

/** In words, where they differ from the public name. */
export function stateWords(state: ShownState): string {
  // In a paused plan nobody merges it.
  if (state === "merging") return "to be merged";
  if (state === "skipped") return "left out";
  return state === "given-up" ? "given up" : state;
}

/** `isGone`: the run that worked on it was killed. */
export function shownState({ phase }: Pick<Loop, "phase">, state: TaskState, isGone = false): ShownState {
  if (state === "running") return phase === "active" && !isGone ? state : "stopped";
  return state === "merging" && phase === "cancelled" ? "stopped" : state;
}

/** What a plain loop counts: its steps, or under the rule `tasks` the tasks of the agent's own list. */
interface PlainWork {
  readonly unit: "steps" | "tasks";
  readonly done: readonly string[];
  readonly atWork: readonly string[];
  readonly left: readonly string[];
}

/** `isOpen`: somebody may be at the next step. An agent's own list says itself what it is at. */
export function plainWork(frame: Pick<Frame, "steps" | "tasks" | "exitRule">, isOpen = true): PlainWork {
  return countsTasks(frame) ? workInTasks(frame) : workInSteps(frame, isOpen);
}

function countsTasks({ exitRule, tasks, steps }: Pick<Frame, "steps" | "tasks" | "exitRule">): boolean {
  return exitRule === "tasks" && (tasks.length > 0 || steps.length === 0);
}

function workInSteps({ steps }: Pick<Frame, "steps">, isOpen: boolean): PlainWork {
  const namesOf = (isDone: boolean): readonly string[] =>
    steps.filter(({ done }) => done === isDone).map(({ name }) => name);
  const left = namesOf(false);
  const current = isOpen ? 1 : 0;
  return { unit: "steps", done: namesOf(true), atWork: left.slice(0, current), left: left.slice(current) };
}

/** Those that nothing blocks come first of what is left. */
function workInTasks({ tasks }: Pick<Frame, "tasks">): PlainWork {
  const inState = (state: ReturnType<typeof listedState>): readonly string[] =>
    tasks.filter((task) => listedState(task, tasks) === state).map(({ subject }) => subject);
  return {
    unit: "tasks",
    done: inState("done"),
    atWork: inState("running"),
    left: [...inState("ready"), ...inState("blocked")],
  };
}

export function countOf({ done, atWork, left }: PlainWork): number {
  return done.length + atWork.length + left.length;
}
