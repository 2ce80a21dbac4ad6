import type { Task } from "../core/loop.ts";
import type { DraftedPlan, DraftedTask } from "./drafted-plan.ts";
import { numberedId } from "./drafted-plan.ts";
import { TaskDraft } from "./task-draft.ts";
import { readField } from "./fields.ts";

/** A task of Claude Code's own list. */
export interface ListedTask {
  readonly task: Task;
  readonly description: string;
}

/** A task list as a plan: task 3 is T-003, and `Verify: COMMAND` in its description is its check. A model wrote it all. */
export function draftOfTaskList(listed: readonly ListedTask[]): DraftedPlan {
  const present = new Set(listed.map(({ task }) => task.id));
  const read = listed.map(({ task, description }) => {
    const number = Number.parseInt(task.id, 10);
    const draft = new TaskDraft(plannedId(task.id), number, task.subject);
    for (const line of description.split(/\r\n|\n|\r/)) {
      const field = readField(line);
      if (field === null) draft.addText(line, number);
      else draft.addField(field, number);
    }
    // What has left the list blocks nobody any more.
    draft.addBlockers(task.blockedBy.filter((id) => present.has(id)).map(plannedId), number);
    return { ...draft.finish(), isDone: task.status === "completed" };
  });
  const tasksThatAre = (isDone: boolean): readonly DraftedTask[] =>
    read.filter((each) => each.isDone === isDone).map(({ task }) => task);
  return {
    source: "task-list",
    preface: "",
    tasks: tasksThatAre(false),
    done: tasksThatAre(true),
    issues: read.flatMap(({ issues, isDone }) => (isDone ? [] : issues)),
  };
}

function plannedId(listed: string): string {
  return /^\d{1,6}$/.test(listed) ? numberedId(Number.parseInt(listed, 10)) : listed;
}

/** The task of the list that a planned one came from. */
export function listedId(planned: string): string {
  return String(Number.parseInt(planned.slice("T-".length), 10));
}
