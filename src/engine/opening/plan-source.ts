import { readListedTasks, taskListFolder, taskListName } from "../compat/task-list.ts";
import type { Machine } from "../../storage/loops/machine.ts";
import { UserError } from "../../core/user-error.ts";
import type { DraftedPlan } from "../../core/plan-files/drafted-plan.ts";
import { draftOfTaskList } from "../../core/plan-files/task-list-plan.ts";
import { oneLine } from "../../system/text/plain-text.ts";
import { approvePlan, isPlanApproved, planDigest } from "../../storage/home/plan-approval.ts";
import { findProject } from "../../storage/home/project.ts";
import type { PlanApproval } from "../../views/terminal/plan-report.ts";
import { expectPerson } from "../lifecycle/expect-person.ts";

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

export function approvalOfPlan(machine: Machine, text: string): PlanApproval {
  const { root } = findProject(machine.cwd);
  return { digest: planDigest(text), isApproved: isPlanApproved(machine.home, root, text) };
}

/** From then on, the commands of this text may run in this project. */
export async function approvePlanText(machine: Machine, text: string): Promise<void> {
  await expectPerson(machine, "plan", null, ["--approve"]);
  approvePlan(machine.home, findProject(machine.cwd).root, text);
}
