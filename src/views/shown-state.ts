import type { Loop } from "../core/loop/loop.ts";
import type { TaskState } from "../core/plan/workflow.ts";

/** How far a task is, as people see it. `stopped`: it was begun, and nobody works on it now. */
export type ShownState = TaskState | "stopped";

/** In words, where they differ from the public name. */
export function stateWords(state: ShownState): string {
  // In a paused plan nobody merges it.
  if (state === "merging") return "to be merged";
  return state === "given-up" ? "given up" : state;
}

/** `isGone`: the run that worked on it was killed. */
export function shownState({ phase }: Pick<Loop, "phase">, state: TaskState, isGone = false): ShownState {
  if (state === "running") return phase === "active" && !isGone ? state : "stopped";
  return state === "merging" && phase === "cancelled" ? "stopped" : state;
}
