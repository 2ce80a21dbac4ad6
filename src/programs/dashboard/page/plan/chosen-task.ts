import { signal } from "@preact/signals";
import type { WorkflowStatus, WorkflowTask } from "../../../../views/plan.ts";
import { exported, go, route } from "../data/state.ts";
import { isUnshown } from "./task-state.tsx";

/** In the view of the plan, also from its review. */
export function choose(task: string): void {
  if (exported === null) return go(`${location.pathname.replace(/\/review$/, "")}?task=${task}`);
  chosenTask.value = task;
  if (route.value.view === "review") go("#");
}

const chosenTask = signal<string | null>(null);

/** The one somebody chose; without a choice, the one that most deserves a look. */
export function taskShown(workflow: WorkflowStatus): WorkflowTask | null {
  const wanted = chosenTask.value ?? route.value.task;
  const { tasks } = workflow;
  return (
    tasks.find(({ id }) => id === wanted) ??
    tasks.find(isUnshown) ??
    tasks.find(({ state, setbacks }) => setbacks > 0 && state !== "done" && state !== "given-up") ??
    tasks.find(({ state }) => state === "given-up") ??
    tasks.find(({ state }) => ["running", "merging", "stopped"].includes(state)) ??
    tasks.find(({ confidence }) => confidence === "weak") ??
    tasks.toSorted((one, other) => other.setbacks - one.setbacks).find(({ setbacks }) => setbacks > 0) ??
    tasks.find(({ attempts }) => attempts > 0) ??
    tasks[0] ??
    null
  );
}
