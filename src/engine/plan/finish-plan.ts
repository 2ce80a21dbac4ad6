import type { LoopEvent } from "../../core/event.ts";
import { completionOf } from "./completion.ts";
import type { WorkflowContext } from "./take-workflow.ts";
import { recordOurs } from "../run/take-loop.ts";
import { pauseBlocked, workflowOf } from "./take-workflow.ts";

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
  const delivery = await context.workshop.deliver(workflowOf(context.live.loop), begin);
  // Once it is completed, nobody comes back to remove them, or to mark what is done.
  await context.workshop.tidy(workflowOf(context.live.loop), { isOver: true });
  await context.mirror.catchUp(context.live.loop);
  const delivered: readonly LoopEvent[] = delivery === null ? [] : [{ type: "work.delivered", delivery }];
  const loop = await recordOurs(context, [
    ...delivered,
    { type: "loop.completed", ...completionOf(context.live.loop), changed: null },
  ]);
  if (delivery !== null && loop !== null) context.tell({ type: "delivered", loop, delivery });
}
