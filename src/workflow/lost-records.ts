import type { Attempt } from "../core/plan/workflow.ts";
import { JournalError } from "../journal/journal-error.ts";
import type { LiveLoop } from "../loops/live-loop.ts";
import { dollars } from "../views/cost-text.ts";
import type { AttemptEnvelope, AttemptOutcome, AttemptResult } from "./executor.ts";
import { NOTHING_SHOWN } from "./executor.ts";
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

/** The same of an attempt that this run pays for. What it cost is unknown, so all that it was allowed to cost is charged. */
export async function lostAttempt(
  context: Pick<WorkflowContext, "live" | "workshop" | "isSession">,
  attempt: Attempt,
  envelope: AttemptEnvelope,
  error: unknown,
): Promise<AttemptResult> {
  const outcome = await withoutRecords(context, envelope, error);
  const { key } = envelope;
  // What a session's agent costs is in its transcript.
  if (context.isSession) return { ...NOTHING_SHOWN, key, outcome };
  const { setback } = outcome;
  const { reservedUsd } = attempt;
  const charged = reservedUsd === null ? "" : `, so its whole share is charged: ${dollars(reservedUsd)}`;
  const detail = `${setback.detail} What it cost is unknown${charged}.`;
  const usage = mostSpent(attempt);
  return { ...NOTHING_SHOWN, key, outcome: { ...outcome, setback: { ...setback, detail } }, usage };
}

/** The most that an attempt may have cost, of which nobody knows what it did. */
export function mostSpent({
  reservedUsd,
  reservedTokens,
}: Pick<Attempt, "reservedUsd" | "reservedTokens">): AttemptResult["usage"] {
  return { usd: reservedUsd ?? 0, turnUsd: 0, tokens: reservedTokens ?? 0, priced: false };
}

/** For who can do without records that are gone or damaged. */
export function unlessUnreadable(error: unknown): null {
  if (error instanceof JournalError) return null;
  throw error;
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
