import type { Loop } from "../../../core/loop/loop.ts";
import { confidenceText } from "../../../views/completion.ts";
import { INTERRUPTED } from "../signals.ts";

export const TOO_VAGUE = 5;
const NOT_SURE = 6;

/**
 * The exit code of a run: 0 completed and verified, 1 ended otherwise, 2 budget, 3 iterations, 4 any other pause, 6 finished but
 * weak or unverified. `acceptsWeak`: 6 becomes 0.
 */
export function exitCodeOf(loop: Loop, wasInterrupted: boolean, acceptsWeak: boolean): number {
  switch (loop.phase) {
    case "completed":
      return loop.confidence === "verified" || acceptsWeak ? 0 : NOT_SURE;
    case "cancelled":
      return 1;
    case "active":
      // A session took it over.
      return wasInterrupted ? INTERRUPTED : 4;
    case "paused":
      if (wasInterrupted && loop.reason === "user") return INTERRUPTED;
      return loop.reason === "budget" ? 2 : loop.reason === "iterations" ? 3 : 4;
  }
}

/** Why a finished run still doesn't count as a success; null if it does. */
export function whyNotSure(loop: Loop, acceptsWeak: boolean): string | null {
  if (loop.phase !== "completed" || exitCodeOf(loop, false, acceptsWeak) === 0) return null;
  return `Finished, but ${confidenceText(loop)}; to count that as a success: --accept weak`;
}
