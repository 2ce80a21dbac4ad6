import type { Guardian } from "../../src/system/process/guardian.ts";

/** Stands in for `guardian.ts` on a thread of a test's own process: nobody kills that. */
export function startGuardian(): Guardian {
  return { guard: () => () => {}, dismiss: async () => {} };
}
