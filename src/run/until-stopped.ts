import type { EventOf } from "../core/event.ts";
import { INTERRUPTED } from "./interrupts.ts";
import { record } from "./record.ts";
import type { RunContext } from "./run-context.ts";

/** Checks may take long: who wants to stop now does not wait for them. null: stopped, and that is on record. */
export async function untilStopped<Value extends object>(
  context: RunContext,
  work: () => Promise<Value>,
): Promise<Value | null> {
  const { now } = context.interrupts;
  const value = now.aborted ? null : await firstOf(work(), now);
  if (value === null) await pauseOurs(context, INTERRUPTED);
  return value;
}

async function firstOf<Value>(work: Promise<Value>, signal: AbortSignal): Promise<Value | null> {
  let stop = (): void => undefined;
  const stopped = new Promise<null>((resolve) => (stop = () => resolve(null)));
  signal.addEventListener("abort", stop);
  // What it comes to after a stop is nobody's any more, be it an error.
  work.catch(() => undefined);
  try {
    return await Promise.race([work, stopped]);
  } finally {
    signal.removeEventListener("abort", stop);
  }
}

/** Pauses the loop while it is this run's; what others made of it meanwhile stands. */
export async function pauseOurs(context: RunContext, pause: EventOf<"loop.paused">): Promise<void> {
  await record(context, (loop) =>
    loop.phase === "active" && loop.binding?.session === context.run ? [pause] : [],
  );
}
