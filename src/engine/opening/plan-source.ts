import { readListedTasks, taskListFolder, taskListName } from "../compat/task-list.ts";
import type { Machine } from "../../storage/loops/machine.ts";
import { UserError } from "../../core/user-error.ts";
import type { DraftedPlan } from "../../core/plan-files/drafted-plan.ts";
import { draftOfTaskList } from "../../core/plan-files/task-list-plan.ts";
import { oneLine } from "../../system/text/plain-text.ts";

/** A plan that was read, with the text that a person approves. */
export interface PlanText {
  readonly text: string;
  readonly draft: DraftedPlan;
  /** The task list of Claude Code that it was read from, by the name of its folder. */
  readonly list: string | null;
}

/** A list that Claude Code keeps, by its id. Its tasks change as they are worked on; what is approved are its commands. */
export function planOfTaskList(machine: Machine, list: string): PlanText {
  const folder = taskListFolder(machine.env, list);
  const listed = folder === null ? null : readListedTasks(folder);
  if (listed === null)
    throw new UserError(
      `Claude Code has no task list "${oneLine(list, 80)}" here${folder === null ? "" : ` (${folder})`}.`,
    );
  const draft = draftOfTaskList(listed);
  const commands = [...draft.tasks, ...draft.done]
    .toSorted((one, other) => one.line - other.line)
    .flatMap(({ id, verify }) => (verify === null ? [] : [[id, verify.command]]));
  return { text: JSON.stringify({ list, commands }), draft, list: taskListName(list) };
}
