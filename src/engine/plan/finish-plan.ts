import type { LoopEvent } from "../../core/events/event.ts";
import { pauseBlocked, workflowOf, type WorkflowContext } from "./take-workflow.ts";
import { recordOurs } from "../run/take-loop.ts";
import type { Confidence, Loop } from "../../core/loop/loop.ts";
import { FLAKY, flakyMustNots, NOT_SHOWN, shownTask } from "../../core/plan/shown-task.ts";
import { isDone, isSkipped, type Workflow } from "../../core/plan/workflow.ts";
import { blockersIn, isScoredLow, lowScoreText, SAME_MEANING, wasAsked } from "../../core/stages/stages.ts";
import type { Stages } from "../../core/stages/stages.ts";

const MOST_NAMED = 3;

/** The work of all tasks is on the loop's branch: delivers it, and ends the loop. */
export async function finishPlan(context: WorkflowContext): Promise<void> {
  const strangers = context.strangers();
  if (strangers.length > 0) {
    const named = strangers.slice(0, MOST_NAMED).join("; ");
    await pauseBlocked(
      context,
      `the journal has results that this run did not decide: ${named}. Look at them with loop log; loop continue takes them as they are.`,
    );
    return;
  }
  const begin = async (from: string): Promise<boolean> =>
    (await recordOurs(context, [{ type: "delivery.begun", from }])) !== null;
  const delivery = await context.workspace.deliver(workflowOf(context.live.loop), begin);
  // Once it is completed, nobody comes back to remove them, or to mark what is done.
  await context.workspace.tidy(workflowOf(context.live.loop), { isOver: true });
  await context.mirror.catchUp(context.live.loop);
  const delivered: readonly LoopEvent[] = delivery === null ? [] : [{ type: "work.delivered", delivery }];
  const loop = await recordOurs(context, [
    ...delivered,
    { type: "loop.completed", ...completionOf(context.live.loop), changed: null },
  ]);
  if (delivery !== null && loop !== null) context.tell({ type: "delivered", loop, delivery });
}

/** A plan is shown as far as each of its tasks is. A review adds nothing to that, but may take something away. */
export function completionOf({ workflow, stages }: Pick<Loop, "workflow" | "stages">): {
  readonly confidence: Confidence;
  readonly why: readonly string[];
} {
  if (workflow === null) throw new Error("the end of a plan that isn't there");
  const leftOut = workflow.skipped.map(
    ({ task, why }) => `${task} was left out: ${(why.split("\n")[0] ?? "").replace(/\.$/, "")}`,
  );
  const tasks = workflow.plan.tasks.filter(({ id }) => !isSkipped(workflow, id) || isDone(workflow, id));
  const shown = tasks.map(({ id, subject }) => ({
    id,
    subject,
    ...(shownTask(workflow, id) ?? NOT_SHOWN),
  }));
  const lacking = (confidence: Confidence): readonly string[] =>
    shown
      .filter((task) => task.confidence === confidence)
      .flatMap(({ id, subject, doubts: why }) =>
        [
          ...(why.length === 0 ? [subject] : why),
          ...(confidence === "weak" ? howToShow(id, stages) : []),
        ].map((reason) => `${id} is ${confidence}: ${reason}`),
      );
  const unverified = [...leftOut, ...lacking("unverified")];
  const weak = [
    ...lacking("weak"),
    ...flakyMustNots(workflow).map((name) => `${name} ${FLAKY}`),
    ...(stages === null ? [] : doubts(stages, workflow)),
  ];
  const confidence = unverified.length > 0 ? "unverified" : weak.length > 0 ? "weak" : "verified";
  return { confidence, why: [...unverified, ...weak] };
}

/** A task for a finding has the check of what it breaks, which has passed already. */
function howToShow(id: string, stages: Stages | null): readonly string[] {
  const isRemedy = stages?.reviews.some(({ resolved }) => resolved.some(({ task }) => task === id)) === true;
  return isRemedy
    ? ["only a check that fails without it can show it; --allow-check lets a reviewer's command be one"]
    : [];
}

function doubts(stages: Stages, workflow: Workflow): readonly string[] {
  return [...doubtsOfGate(stages), ...doubtsOfReviews(stages, workflow)];
}

function doubtsOfGate({ gates }: Stages): readonly string[] {
  const item = gates.at(-1)?.items.find(({ name }) => name === SAME_MEANING);
  return item === undefined || item.state === "met" ? [] : [item.detail ?? item.name];
}

function doubtsOfReviews({ reviews }: Stages, { branch }: Workflow): readonly string[] {
  const accepted = reviews.flatMap(({ round, findings, resolved }) =>
    blockersIn(findings)
      .filter(({ id }) => resolved.some(({ finding, task }) => finding === id && task === null))
      .map(
        ({ id, problem }) => `blocker ${id} of review ${round} was accepted: ${problem.split("\n")[0] ?? ""}`,
      ),
  );
  const last = reviews.at(-1);
  if (last === undefined || !wasAsked(last)) return accepted;
  if (last.failure !== null) return [...accepted, `the review gave no usable answer: ${last.failure}`];
  if (last.commit !== (branch?.tip ?? null)) return [...accepted, "the last changes were not reviewed"];
  return isScoredLow(last) ? [...accepted, lowScoreText(last)] : accepted;
}
