import type { Finding } from "../../../core/stages/finding.ts";
import type { Review } from "../../../core/stages/stages.ts";
import { thoroughId, thoroughQuestion } from "../../../core/questions/review/review-question.ts";
import type { WorkflowContext } from "../take-workflow.ts";
import { recordOurs } from "../../run/take-loop.ts";
import { workflowOf } from "../take-workflow.ts";
import { allowedCheck } from "./allowed-check.ts";
import type { AskedReview } from "./ask-review.ts";
import { askReview } from "./ask-review.ts";
import { readWork } from "./read-work.ts";
import { failsAtTip } from "./run-at-tip.ts";

const ROOM = 200_000;
const PERSPECTIVES = 4;

export function thoroughReview(round: number, commit: string): AskedReview {
  return {
    perspectives: PERSPECTIVES,
    room: ROOM,
    commit,
    question: (work, perspectives, nonce) => thoroughQuestion(work, round, perspectives, nonce),
  };
}

/** The thorough review of all that is on the loop's branch. */
export async function reviewWork(
  context: WorkflowContext,
  round: number,
  signal: AbortSignal,
): Promise<void> {
  const { branch } = workflowOf(context.live.loop);
  if (branch === null) throw new Error("a review without a branch");
  const question = { id: thoroughId(round), purpose: "thorough-review" } as const;
  if ((context.asker.whyNobody?.(question) ?? null) === null)
    context.tell({ type: "preparing", what: `Reviewing the work (round ${round}).` });
  const diff = await readWork(context, branch.from, branch.tip);
  const found = await askReview(context, diff, thoroughReview(round, branch.tip), signal);
  const review = found === null ? null : await withCommandsTried(context, found, branch.tip, signal);
  if (review === null || signal.aborted) return;
  const loop = await recordOurs(
    context,
    [{ type: "work.reviewed", round, commit: branch.tip, ...review }],
    ({ stages }) => stages?.reviews.length === round - 1,
  );
  if (loop === null) return;
  context.tell({
    type: "work-reviewed",
    loop,
    review: { ...review, round, commit: branch.tip, resolved: [] },
  });
}

/** A command of a blocker that may run is tried; one that passes shows nothing, and is dropped. */
async function withCommandsTried(
  context: WorkflowContext,
  review: Review,
  tip: string,
  signal: AbortSignal,
): Promise<Review> {
  const findings: Finding[] = [];
  for (const finding of review.findings) {
    const check = finding.command === null ? null : await allowedCheck(context, finding.command);
    const fails = check === null || signal.aborted ? null : await failsAtTip(context, tip, check, signal);
    if (fails === null) findings.push(finding);
    else findings.push({ ...finding, command: fails ? finding.command : null, failsNow: fails });
  }
  return { ...review, findings };
}
