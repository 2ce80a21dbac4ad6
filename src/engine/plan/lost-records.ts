import { JournalError } from "../../storage/journal/journal-error.ts";
import type { LiveLoop } from "../../storage/loops/live-loop.ts";
import { dollars } from "../../views/cost.ts";
import type { AttemptEnvelope, AttemptOutcome, AttemptResult } from "./executor.ts";
import { NOTHING_SHOWN, untoldUsage } from "./executor.ts";
import type { WorkflowContext } from "./take-workflow.ts";
import { isDriven, isEnded, type Loop } from "../../core/loop/loop.ts";
import { running } from "../../core/plan/workflow.ts";
import type { Machine } from "../../storage/loops/machine.ts";
import { chargeAbandoned, noteAbandoned } from "../run/recover-turn.ts";
import { wasBegun } from "../../storage/home/approval-marks.ts";
import { loopOfAttempt } from "./begin-attempt.ts";
import { envelopeOf } from "./envelope.ts";

/** What becomes of an attempt whose own records were deleted or damaged: another one is made. Any other error is thrown again. */
export async function withoutRecords(
  { live, workspace }: Pick<WorkflowContext, "live" | "workspace">,
  envelope: AttemptEnvelope,
  error: unknown,
): Promise<Extract<AttemptOutcome, { readonly type: "set-back" }>> {
  if (!(error instanceof JournalError) || (error.code !== "missing" && error.code !== "corrupt")) throw error;
  // If it is the workflow's that can't be read, this says so.
  await live.refresh();
  await workspace.keepUnfinished(envelope);
  const detail =
    error.code === "missing" ? "Its records were deleted." : `Its records are damaged: ${error.message}.`;
  return { type: "set-back", setback: { kind: "lost", detail, carry: null, failing: [] } };
}

/** Its result, where this run pays for the attempt: nobody can tell what it cost. */
export async function lostAttempt(
  context: Pick<WorkflowContext, "live" | "workspace" | "isSession">,
  envelope: AttemptEnvelope,
  error: unknown,
): Promise<AttemptResult> {
  const outcome = await withoutRecords(context, envelope, error);
  const { key, limits } = envelope;
  // What a session's agent costs is in its transcript.
  if (context.isSession) return { ...NOTHING_SHOWN, key, outcome };
  const { setback } = outcome;
  const charged =
    limits.budgetUsd === null ? "" : `, so its whole share is charged: ${dollars(limits.budgetUsd)}`;
  const detail = `${setback.detail} What it cost is unknown${charged}.`;
  return {
    ...NOTHING_SHOWN,
    ...untoldUsage(envelope),
    key,
    outcome: { ...outcome, setback: { ...setback, detail } },
  };
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

/** Of a workflow that was cancelled: ends the loops of its attempts, and charges what they have cost. */
export async function endAttempts(machine: Machine, { project, loop, record }: LiveLoop): Promise<void> {
  const { workflow } = loop;
  if (workflow === null) return;
  for (const attempt of running(workflow)) {
    const own = await loopOfAttempt(machine, project, attempt).catch(unlessUnreadable);
    if (own !== null) {
      await noteAbandoned(own);
      await chargeAbandoned(machine, own);
      const { usd, tokens, priced } = (await cancelled(own.live)).spend;
      await record(() => [{ type: "cost.charged", usd, tokens, priced }]);
      // What a session's agent costs is in its transcript.
    } else if (isDriven(loop) && wasBegun({ home: machine.home, root: project.root, loop: attempt.loop }))
      await record(() => [
        { type: "cost.charged", ...untoldUsage(envelopeOf(loop, workflow, attempt)).usage },
      ]);
  }
}

/** A person ends it. */
export async function cancelled(live: LiveLoop): Promise<Loop> {
  return live.record((now) => (isEnded(now) ? [] : [{ type: "loop.cancelled", by: "person" }]));
}
