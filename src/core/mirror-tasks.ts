import type { LoopEvent } from "./event.ts";
import type { Loop, Task } from "./loop.ts";
import { topFrame } from "./loop.ts";

/**
 * What a host's task list changes in the loop. The list is a mirror, not the truth: a completed task that vanished stays
 * completed; any other vanished task no longer holds the agent.
 */
export function eventsOfTaskList(loop: Loop, listed: readonly Task[]): readonly LoopEvent[] {
  const known = topFrame(loop).tasks;
  const recorded = listed.filter((task) => !known.some((each) => isSame(each, task)));
  const dropped = known.filter(
    (each) => each.status !== "completed" && !listed.some((task) => task.id === each.id),
  );
  return [
    ...recorded.map((task): LoopEvent => ({ type: "task.recorded", task })),
    ...dropped.map(({ id }): LoopEvent => ({ type: "task.dropped", id })),
  ];
}

function isSame(a: Task, b: Task): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}
