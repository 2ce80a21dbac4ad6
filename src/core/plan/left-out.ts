import type { EventOf } from "../events/event.ts";
import { isDone, taskState, type Workflow } from "./workflow.ts";

const UNTRIED = "it was not done when the rest was delivered";

/** Leaves out every task that is neither done nor waiting for its merge, to deliver the rest. null: nothing is done. */
export function unfinishedLeftOut(workflow: Workflow | null): readonly EventOf<"task.skipped">[] | null {
  const tasks = workflow?.plan.tasks ?? [];
  if (workflow === null || !tasks.some(({ id }) => isDone(workflow, id))) return null;
  return tasks
    .filter((task) => !["done", "merging", "skipped"].includes(taskState(workflow, task)))
    .map(({ id }) => {
      const why = workflow.givenUp.find(({ task }) => task === id)?.why ?? UNTRIED;
      return { type: "task.skipped", task: id, why, by: "person" };
    });
}
