import type { LoopEvent } from "../../../core/events/event.ts";
import type { Finding, ThoroughReview } from "../../../core/stages/stages.ts";
import { unsettled } from "../../../core/stages/asking.ts";
import type { Decided } from "../../../core/questions/review/counted-findings.ts";
import { remediationFor, remediationTasks, type Remediation } from "../../../core/questions/remediation.ts";
import { demandsOf } from "../../../core/questions/review/review-question.ts";
import { pauseBlocked, workflowOf, type WorkflowContext } from "../take-workflow.ts";
import { recordApproved } from "../../opening/checks-of-loop.ts";
import { isActiveFor, type Loop } from "../../../core/loop/loop.ts";
import { recordIf } from "../../../storage/loops/journal-entries.ts";
import { join } from "node:path";
import { discoverHere } from "../../opening/propose-checks.ts";
import { describeCheck, type Check } from "../../../core/loop/criterion.ts";
import { isSameCommand } from "../../../system/text/plain-text.ts";
import { checkOfCommand } from "../../../core/questions/shape/find-check.ts";

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
  await resolveFindings(context, round, left, decided);
}

/** Records what was decided about findings of a review. What has to be put right becomes tasks. */
export async function resolveFindings(
  context: WorkflowContext,
  round: number,
  left: readonly Finding[],
  decided: readonly Decided[],
): Promise<Loop | null> {
  const asTasks = decided.filter(({ how }) => how === "task" || how === "discussed");
  const remedies: Remediation[] = [];
  for (const { finding: id, note } of asTasks) {
    const finding = left.find((each) => each.id === id);
    if (finding === undefined) throw new Error(`${id} isn't a finding of review ${round}`);
    remedies.push(await remediationOf(context, finding, note));
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
  return after;
}

async function remediationOf(
  context: WorkflowContext,
  finding: Finding,
  note: Decided["note"],
): Promise<Remediation> {
  const { loop } = context.live;
  const { plan } = workflowOf(loop);
  const commandCheck =
    finding.command !== null && finding.failsNow ? await allowedCheck(context, finding.command) : null;
  return remediationFor(finding, { demands: demandsOf(loop), plan, note, commandCheck });
}

function whyStuck({ resolved }: ThoroughReview, again: readonly Finding[]): string {
  const parts = again.map(({ id, file }) => {
    const task = resolved.find(({ finding }) => finding === id)?.task ?? "its task";
    return `${id} in ${file}: ${task} changed nothing`;
  });
  return `a blocker of the review is left (${parts.join("; ")}); look at it with: loop review, and accept it with: loop continue --findings skip`;
}

/** Records what was judged and the tasks that it makes, together; the approval record knows them first. null: the loop is no longer this run's. */
export async function recordWithTasks(
  context: WorkflowContext,
  remedies: readonly Remediation[],
  why: string,
  events: (tasks: readonly string[]) => readonly LoopEvent[],
): Promise<Loop | null> {
  return recordIf(
    async (decide) => recordApproved(context.machine, context, decide),
    (loop) => isActiveFor(loop, context.run),
    (loop) => {
      const tasks = remediationTasks(workflowOf(loop).plan, remedies);
      const extended: readonly LoopEvent[] =
        tasks.length === 0 ? [] : [{ type: "plan.extended", tasks, why }];
      return [...events(tasks.map(({ id }) => id)), ...extended];
    },
  );
}

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
