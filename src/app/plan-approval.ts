import type { Machine } from "../loops/machine.ts";
import { approvePlan, isPlanApproved, planDigest } from "../store/plan-approval.ts";
import { findProject } from "../store/project.ts";
import { expectPerson } from "./expect-person.ts";

export interface PlanApproval {
  /** Of the whole text: where nobody can be asked, a plan is approved by naming it. */
  readonly digest: string;
  readonly isApproved: boolean;
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
