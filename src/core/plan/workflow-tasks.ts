import type { Task } from "../loop.ts";
import { wavesOf } from "./graph.ts";
import type { Workflow } from "./workflow.ts";
import { attemptsOf, taskState } from "./workflow.ts";

const STATUSES = {
  done: "completed",
  running: "in_progress",
  merging: "in_progress",
  ready: "pending",
  blocked: "pending",
  "given-up": "pending",
} as const;

/** The workflow's tasks in the form that every loop with tasks has. */
export function tasksOf(workflow: Workflow): readonly Task[] {
  const waves = wavesOf(workflow.plan.tasks);
  return workflow.plan.tasks.map((task) => ({
    id: task.id,
    subject: task.subject,
    status: STATUSES[taskState(workflow, task)],
    blockedBy: task.blockedBy,
    wave: waves.get(task.id) ?? null,
    attempts: attemptsOf(workflow, task.id).length,
  }));
}
