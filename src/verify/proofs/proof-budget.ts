/** How long samples may go on: faults, causes, and whatever else can be tried once more. */
export interface ProofBudget {
  /** Milliseconds until no further sample begins; 0 or less: none does. */
  leftMs(): number;
  /** What the checks themselves took. */
  readonly checksMs: number;
}

const LEAST_MS = 30_000;
const CHECK_TIMES = 3;

/** What a person set; else three times what the checks themselves took, and at least half a minute. */
export function proofBudget(now: () => number, checksMs: number, givenMs: number | null): ProofBudget {
  const end = now() + (givenMs ?? Math.max(LEAST_MS, CHECK_TIMES * checksMs));
  return { checksMs, leftMs: () => end - now() };
}

/** A part of the budget, for what is good to know and decides nothing. */
export function shareOf(budget: ProofBudget, now: () => number, shareMs: number): ProofBudget {
  const end = now() + shareMs;
  return { ...budget, leftMs: () => Math.min(budget.leftMs(), end - now()) };
}
