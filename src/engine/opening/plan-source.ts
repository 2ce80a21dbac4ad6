import { approvePlanOf, isPlanApproved, planDigest } from "../../storage/home/project-config.ts";
import { readListedTasks, taskListFolder, taskListName } from "../compat/task-list.ts";
import type { Machine } from "../../storage/loops/machine.ts";
import { UserError } from "../../core/user-error.ts";
import type { DraftedPlan } from "../../core/plan-files/drafted-plan.ts";
import { draftOfTaskList } from "../../core/plan-files/task-list-plan.ts";
import { oneLine, shellWord } from "../../system/text/plain-text.ts";
import { findProject } from "../../storage/home/project.ts";
import type { PlanApproval } from "../../views/terminal/plan-report.ts";
import type { Opener } from "./opener.ts";
import { expectPerson } from "../lifecycle/expect-person.ts";

/** A plan that was read, with the text that a person approves. */
export interface PlanText {
  readonly text: string;
  readonly draft: DraftedPlan;
  /** The task list of Claude Code that it was read from, by the name of its folder. */
  readonly list: string | null;
}

/** A plan by the name that people gave it. */
export interface NamedPlan extends PlanText {
  readonly name: string;
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
  approvePlanOf(machine.home, findProject(machine.cwd).root, text);
}

/** A stranger's command never runs: a person has approved this very text, here or by its digest. */
export async function expectApproved(
  { machine, person }: Pick<Opener, "machine" | "person">,
  { name, text, draft }: NamedPlan,
  named: string | undefined,
): Promise<void> {
  const { digest, isApproved } = approvalOfPlan(machine, text);
  const commands = draft.tasks.flatMap(({ id, verify }) =>
    verify === null ? [] : [`${id}  ${verify.isProposed ? "proposed by a model: " : ""}${verify.command}`],
  );
  if (isApproved || commands.length === 0 || named === digest) return;
  if (named !== undefined)
    throw new UserError(`The plan's digest is ${digest}, and not the one that --plan-digest names.`);
  if (person === null)
    throw new UserError(
      `Nobody has approved the commands of ${name} on this machine; approve them with: loop plan ${shellWord(name)} --approve, or name their text with --plan-digest ${digest}`,
    );
  if (!(await person.approves(commands, "plan")))
    throw new UserError("Nothing was approved, so nothing runs.");
  await approvePlanText(machine, text);
}

/**
 * A session's host has asked its user about this very command. A plan on standard input is part of it; of one in a file the user has
 * seen the name, and none of its commands.
 */
export function expectSeen(
  machine: Machine,
  { name, text, draft }: NamedPlan,
  { isTyped }: { readonly isTyped: boolean },
): void {
  const hasCommands = draft.tasks.some(({ verify }) => verify !== null);
  if (isTyped || !hasCommands || approvalOfPlan(machine, text).isApproved) return;
  throw new UserError(
    `Nobody has approved the commands of ${name} on this machine. Give the plan on standard input, so that the user sees it: --plan - <<'END_OF_PLAN'. Or let the user type: loop plan ${name} --approve`,
  );
}
