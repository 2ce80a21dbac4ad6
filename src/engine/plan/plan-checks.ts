import type { NamedCheck } from "../../verify/checks/run-checks.ts";
import { describeCheck } from "../../core/loop/criterion.ts";
import type { PlannedTask } from "../../core/plan/plan.ts";

/** The checks of tasks, each command once, under the name of the first task that has it. What has effects outside isn't among them. */
export function checksOfTasks(tasks: readonly PlannedTask[]): readonly NamedCheck[] {
  const named = new Map<string, NamedCheck>();
  for (const { id, check } of tasks) {
    if (check === null || check.use === "once") continue;
    const line = describeCheck(check);
    if (!named.has(line)) named.set(line, { name: id, check });
  }
  return [...named.values()];
}
