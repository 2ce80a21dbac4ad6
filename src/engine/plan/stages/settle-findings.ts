import type { LoopEvent } from "../../../core/events/event.ts";
import type { Finding, ThoroughReview } from "../../../core/stages/stages.ts";
import { unsettled } from "../../../core/stages/judging.ts";
import type { Decided } from "../../../core/questions/review/counted-findings.ts";
import type { Remedy } from "../../../core/questions/remediation.ts";
import { remedyFor } from "../../../core/questions/remediation.ts";
import { demandsOf } from "../../../core/questions/review/review-question.ts";
import type { WorkflowContext } from "../take-workflow.ts";
import { pauseBlocked, workflowOf } from "../take-workflow.ts";
import { allowedCheck } from "./allowed-check.ts";
import { recordWithTasks } from "./extend-plan.ts";

/** Lets a person, or the policy, decide on each finding of a review, and makes tasks of what has to be put right. */
export async function settleFindings(
  context: WorkflowContext,
  round: number,
  signal: AbortSignal,
): Promise<void> {
  const { loop } = context.live;
  const review = loop.stages?.reviews.find((each) => each.round === round);
  if (review === undefined) throw new Error(`there is no review ${round}`);
  const workflow = workflowOf(loop);
  const left = unsettled(review, workflow);
  const again = left.filter(({ id }) => review.resolved.some((each) => each.finding === id));
  const decided = await context.decide({ review, findings: left, again }, signal);
  if (signal.aborted) return;
  if (decided === null) {
    await pauseBlocked(context, whyStuck(review, again));
    return;
  }
  const asTasks = decided.filter(({ how }) => how === "task" || how === "discussed");
  const remedies: Remedy[] = [];
  for (const { finding: id, note } of asTasks) {
    const finding = left.find((each) => each.id === id);
    if (finding === undefined) throw new Error(`${id} isn't a finding of review ${round}`);
    remedies.push(await remedyOf(context, finding, note));
  }
  const after = await recordWithTasks(context, remedies, `review ${round}`, (tasks) =>
    decided.map((each): LoopEvent => {
      const task = tasks[asTasks.indexOf(each)] ?? null;
      return {
        type: "finding.resolved",
        round,
        finding: each.finding,
        how: each.how,
        task,
        by: each.by,
      };
    }),
  );
  if (after !== null) context.tell({ type: "findings-settled", loop: after, round, tasks: remedies.length });
}

async function remedyOf(context: WorkflowContext, finding: Finding, note: Decided["note"]): Promise<Remedy> {
  const { loop } = context.live;
  const { plan } = workflowOf(loop);
  const commandCheck =
    finding.command !== null && finding.failsNow ? await allowedCheck(context, finding.command) : null;
  return remedyFor(finding, { demands: demandsOf(loop), plan, note, commandCheck });
}

function whyStuck({ resolved }: ThoroughReview, again: readonly Finding[]): string {
  const parts = again.map(({ id, file }) => {
    const task = resolved.find(({ finding }) => finding === id)?.task ?? "its task";
    return `${id} in ${file}: ${task} changed nothing`;
  });
  return `a blocker of the review is left (${parts.join("; ")}); look at it with: loop review, and accept it with: loop continue --findings skip`;
}
