import type { Loop } from "../../core/loop.ts";

export const TOO_VAGUE = 5;
const INTERRUPTED = 130;

/** What a script learns from a run: 0 completed, 1 ended otherwise, 2 budget, 3 iterations, 4 any other pause. */
export function exitCodeOf(loop: Loop, wasInterrupted: boolean): number {
  switch (loop.phase) {
    case "completed":
      return 0;
    case "cancelled":
      return 1;
    case "active":
      // A session has taken it over.
      return wasInterrupted ? INTERRUPTED : 4;
    case "paused":
      if (wasInterrupted && loop.reason === "user") return INTERRUPTED;
      return loop.reason === "budget" ? 2 : loop.reason === "iterations" ? 3 : 4;
  }
}
