import { describeCommand } from "../core/criterion.ts";
import type { Loop, Task } from "../core/loop.ts";
import { topFrame } from "../core/loop.ts";
import { wavesIfSound } from "../core/plan/graph.ts";
import type { Attempt, TaskState } from "../core/plan/workflow.ts";
import { attemptsOf, taskState } from "../core/plan/workflow.ts";

/** One task as `loop task` shows it. Names are public; null where unknown. */
export interface TaskView extends Task {
  /** As the scheduler sees it; for a list of an agent's own, as far as that tells. */
  readonly state: TaskState;
}

/** More of one task, as far as the loop has a plan. */
export interface TaskDetails extends TaskView {
  readonly description: string | null;
  readonly check: string | null;
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
  /** Why it came to nothing. */
  readonly detail: string | null;
  readonly startedAt: string;
  readonly endedAt: string | null;
}

export function taskViews(loop: Loop): readonly TaskView[] {
  const { tasks } = topFrame(loop);
  const waves = wavesIfSound(tasks);
  return tasks.map((task) => ({
    ...task,
    wave: task.wave ?? waves.get(task.id) ?? null,
    state: stateOf(loop, task, tasks),
  }));
}

export function taskDetails(loop: Loop, view: TaskView): TaskDetails {
  const planned = loop.workflow?.plan.tasks.find(({ id }) => id === view.id);
  const attempts = loop.workflow === null ? [] : attemptsOf(loop.workflow, view.id);
  return {
    ...view,
    description: planned?.description ?? null,
    check: planned?.check ? describeCommand(planned.check.command) : null,
    proposed: planned?.proposed ?? null,
    files: planned?.files ?? [],
    estimateMs: planned?.estimateMs ?? null,
    history: attempts.map(attemptView),
  };
}

function stateOf({ workflow }: Loop, task: Task, tasks: readonly Task[]): TaskState {
  const planned = workflow?.plan.tasks.find(({ id }) => id === task.id);
  if (workflow !== null && planned !== undefined) return taskState(workflow, planned);
  return listedState(task, tasks);
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

function attemptView({ number, loop, agent, state, startedAt, endedAt }: Attempt): AttemptView {
  return {
    number,
    loop,
    agent,
    state: state.type,
    detail: state.type === "set-back" ? `${state.setback.kind}: ${state.setback.detail}` : null,
    startedAt: new Date(startedAt).toISOString(),
    endedAt: endedAt === null ? null : new Date(endedAt).toISOString(),
  };
}
