/** How long a check may take. */
export const CHECK_TIERS = { quick: 5_000, standard: 30_000, thorough: 120_000 } as const;

/** A test suite takes longer than a linter, so a check without a tier gets the longest. */
export const DEFAULT_TIMEOUT_MS: number = CHECK_TIERS.thorough;
