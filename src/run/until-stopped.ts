import type { EventOf } from "../core/event.ts";
import { isActiveFor } from "../core/loop.ts";
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
    if (now.aborted) await pauseOurs(context, INTERRUPTED);
    return null;
  } finally {
    own.stop();
  }
}

/** Pauses the loop if it is still this run's; changes by others stay. */
export async function pauseOurs(context: RunContext, pause: EventOf<"loop.paused">): Promise<void> {
  await context.live.record((loop) => (isActiveFor(loop, context.run) ? [pause] : []));
}
