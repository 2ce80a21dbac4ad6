import type { EventOf } from "../core/event.ts";
import { isActiveFor } from "../core/loop.ts";
import { INTERRUPTED } from "./interrupts.ts";
import { watchForLoss } from "./loss-watch.ts";
import type { RunContext } from "./run-context.ts";

/**
 * Checks may take long: whoever stops the run now, or pauses, ends or takes its loop, does not wait for them. null: they
 * were ended in the middle, and why is on record.
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

/** Pauses the loop while it is this run's; what others made of it meanwhile stands. */
export async function pauseOurs(context: RunContext, pause: EventOf<"loop.paused">): Promise<void> {
  await context.live.record((loop) => (isActiveFor(loop, context.run) ? [pause] : []));
}
