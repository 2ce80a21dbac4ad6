import type { NamedCheck } from "../../verify/checks/run-checks.ts";
import type { Workflow } from "../../core/plan/workflow.ts";
import { isDone } from "../../core/plan/workflow.ts";
import { checksOfTasks } from "./plan-checks.ts";
import { redText, runTwice } from "./run-twice.ts";
import type { WorkflowContext } from "./take-workflow.ts";
import { pauseBlocked, workflowOf } from "./take-workflow.ts";

type Examined =
  | { readonly type: "green" }
  /** `failing`: the tasks whose checks don't pass there. */
  | { readonly type: "red"; readonly detail: string; readonly failing: readonly string[] };

/** Results, one commit each on top of the one before, that nobody has looked at together. */
export interface Merged {
  readonly accepted: readonly { readonly task: string; readonly commit: string | null }[];
  readonly onto: string;
  /** Tasks that are on that commit, although the journal doesn't say so yet. */
  readonly before: readonly string[];
}

/** Runs the checks of these tasks, and of all that were merged before, on the merged files. */
export async function examine(
  context: WorkflowContext,
  merged: Merged,
  signal: AbortSignal,
): Promise<Examined | null> {
  const { accepted } = merged;
  const workflow = workflowOf(context.live.loop);
  const commit = accepted.at(-1)?.commit ?? null;
  if (commit === null) return { type: "green" };
  const checks = checksOf(workflow, merged);
  if (checks.length === 0 || (await context.workshop.wasChecked(workflow, merged, checks)))
    return { type: "green" };
  const place = await context.workshop.siteAt(commit, signal);
  if (signal.aborted) return null;
  if (place.type === "no-setup")
    return { type: "red", detail: `Setup failed after the merge: ${place.why}`, failing: [] };
  if (place.type === "failed") {
    await pauseBlocked(context, `The merge can't be checked: ${place.why}`);
    return null;
  }
  const { red } = await runTwice(context, place.site, checks, signal);
  if (signal.aborted) return null;
  if (red.length === 0) return { type: "green" };
  return { type: "red", detail: red.map(redText).join("\n"), failing: red.map(({ named }) => named.name) };
}

/** Each command once: that of the tasks, then those of the tasks that were merged before. */
function checksOf(workflow: Workflow, { accepted, before }: Merged): readonly NamedCheck[] {
  const { plan } = workflow;
  const fresh = new Set(accepted.map(({ task }) => task));
  return checksOfTasks([
    ...plan.tasks.filter(({ id }) => fresh.has(id)),
    ...plan.tasks.filter(({ id }) => isDone(workflow, id) || before.includes(id)),
  ]);
}
