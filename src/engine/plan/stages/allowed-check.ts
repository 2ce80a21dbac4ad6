import { join } from "node:path";
import { discoverHere } from "../../opening/propose-checks.ts";
import type { Check } from "../../../core/loop/criterion.ts";
import { describeCheck } from "../../../core/loop/criterion.ts";
import { isSameCommand } from "../../../system/text/command-line.ts";
import { checkOfCommand } from "../../../core/questions/shape/find-check.ts";
import type { WorkflowContext } from "../take-workflow.ts";
import { workflowOf } from "../take-workflow.ts";

const TIMEOUT_MS = 120_000;

/** The check that a command of a model is: one of the plan's or the project's own, or allowed by a pattern; null: it may not run. */
export async function allowedCheck(
  { machine, live }: WorkflowContext,
  command: string,
): Promise<Check | null> {
  const { loop, project } = live;
  const known = workflowOf(loop).plan.tasks.find(
    ({ check }) => check !== null && check.use !== "once" && isSameCommand(describeCheck(check), command),
  );
  if (known !== undefined) return known.check;
  const found = await discoverHere({ ...machine, cwd: join(project.root, loop.folder) });
  const { allowedChecks = [], checkTimeoutMs = TIMEOUT_MS } = loop.stages?.wishes ?? {};
  const facts = { checks: found.checks, checkFolder: found.above, files: [] };
  return checkOfCommand(command, facts, { allowedChecks, checkTimeoutMs });
}
