import type { Machine } from "../../storage/loops/machine.ts";
import { approvePlanOf, isPlanApproved, planDigest } from "../../storage/home/project-config.ts";
import { findProject } from "../../storage/home/project.ts";
import type { PlanApproval } from "../../views/terminal/plan-report.ts";
import { expectPerson } from "../lifecycle/expect-person.ts";

export function approvalOfPlan(machine: Machine, text: string): PlanApproval {
  const { root } = findProject(machine.cwd);
  return { digest: planDigest(text), isApproved: isPlanApproved(machine.home, root, text) };
}

/** From then on, the commands of this text may run in this project. */
export async function approvePlanText(machine: Machine, text: string): Promise<void> {
  await expectPerson(machine, "plan", null, ["--approve"]);
  approvePlanOf(machine.home, findProject(machine.cwd).root, text);
}
