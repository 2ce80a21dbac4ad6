import type { Frame } from "../core/loop/loop.ts";
import { listedState } from "./task-view.ts";

/** What a plain loop counts: its steps, or under the rule `tasks` the tasks of the agent's own list. */
export interface PlainWork {
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
