import type { Limits } from "./loop.ts";

export const DEFAULT_ITERATIONS = 10;
export const ITERATIONS_BOUND = 50;
const DEFAULT_BUDGET_USD = 25;
export const BUDGET_BOUND_USD = 100;

export const DEFAULT_LIMITS: Limits = {
  budgetUsd: DEFAULT_BUDGET_USD,
  tokens: null,
  minutes: null,
  stuck: 5,
  sameError: 3,
  sameFile: 5,
  noProgress: 3,
  ttlMs: 2 * 60 * 60_000,
};
