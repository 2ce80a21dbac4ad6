import type { NamedCheck } from "../../verify/checks/run-checks.ts";
import type { WorkflowContext } from "./take-workflow.ts";
import { recordOurs } from "../run/take-loop.ts";

/** Checks that failed and passed on the same files. Something other than the files decides them: they show little from now on. */
export async function noteWavered(context: WorkflowContext, checks: readonly NamedCheck[]): Promise<void> {
  for (const { name } of checks) {
    const loop = await recordOurs(context, [{ type: "check.wavered", check: name }]);
    if (loop !== null) context.tell({ type: "flaky", check: name });
  }
}
