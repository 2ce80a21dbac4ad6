import type { Guardian, Guardians } from "../../src/system/process/guardian.ts";

/** Stands in for `guardian.ts` in the process that stays for all calls of a test: nobody kills that. */
export function startGuardian(): Guardian {
  return { guard: () => () => {}, guardFolder: () => {}, dismiss: async () => {}, sweep: () => {} };
}

export function keepGuardians(): Guardians {
  return { start: startGuardian, end: async () => {} };
}
