import type { LoopEvent } from "../../core/events/event.ts";
import { isActiveFor } from "../../core/loop/loop.ts";
import { INTERRUPTED } from "./interrupts.ts";
import { watchForLoss } from "./loss-watch.ts";
import type { RunContext } from "./run-context.ts";

/**
 * Runs checks that may take long. Stopping the run, or pausing, ending or taking its loop, ends them right away. null: they were
 * cut off, and the reason is recorded.
 */
export async function untilStopped<Value>(
  context: RunContext,
  work: (signal: AbortSignal) => Promise<Value>,
): Promise<Value | null> {
  const { now } = context.interrupts;
  const own = watchForLoss(context);
  const signal = AbortSignal.any([now, own.lost]);
  try {
    signal.throwIfAborted();
    return await work(signal);
  } catch (error) {
    if (!signal.aborted) throw error;
    if (now.aborted) await recordOurs(context, INTERRUPTED);
    return null;
  } finally {
    own.stop();
  }
}

/** Records it while the loop is this run's; what others made of it meanwhile stands. */
export async function recordOurs(context: RunContext, event: LoopEvent): Promise<void> {
  await context.live.record((loop) => (isActiveFor(loop, context.run) ? [event] : []));
}
