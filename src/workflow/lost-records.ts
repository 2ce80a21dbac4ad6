import { JournalError } from "../journal/journal-error.ts";
import type { LiveLoop } from "../loops/live-loop.ts";
import type { AttemptEnvelope, AttemptOutcome } from "./executor.ts";
import type { WorkflowContext } from "./take-workflow.ts";

/** What becomes of an attempt whose own records were deleted or damaged: another one is made. Any other error is thrown again. */
export async function withoutRecords(
  { live, workshop }: Pick<WorkflowContext, "live" | "workshop">,
  envelope: AttemptEnvelope,
  error: unknown,
): Promise<Extract<AttemptOutcome, { readonly type: "set-back" }>> {
  if (!(error instanceof JournalError) || (error.code !== "missing" && error.code !== "corrupt")) throw error;
  // If it is the workflow's that can't be read, this says so.
  await live.refresh();
  await workshop.keepUnfinished(envelope);
  const detail =
    error.code === "missing" ? "Its records were deleted." : `Its records are damaged: ${error.message}.`;
  return { type: "set-back", setback: { kind: "lost", detail, carry: null, failing: [] } };
}

/** Whether it is this loop's own journal that is gone. */
export async function isDeleted(live: Pick<LiveLoop, "refresh">): Promise<boolean> {
  try {
    await live.refresh();
    return false;
  } catch (error) {
    return error instanceof JournalError && error.code === "missing";
  }
}
