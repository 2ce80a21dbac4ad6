import {
  BUDGET_BOUND_USD,
  DEFAULT_ITERATIONS,
  DEFAULT_LIMITS,
  ITERATIONS_BOUND,
} from "../../core/loop/limits.ts";
import type { Limits } from "../../core/loop/loop.ts";
import type { ProjectConfig } from "../../storage/home/project-config.ts";
import { UserError } from "../../core/user-error.ts";

/** Limits from flags; `null` means that a flag said "none". */
export interface AskedLimits {
  readonly budgetUsd?: number | null;
  readonly iterations?: number | null;
  readonly tokens?: number;
  readonly minutes?: number;
  readonly stuck?: number;
  readonly sameError?: number;
  readonly sameFile?: number;
  readonly noProgress?: number;
  readonly ttlMs?: number;
}

export interface SetLimits {
  readonly limits: Limits;
  readonly iterationLimit: number | null;
  /** Notices about limits that were cut to their bound. */
  readonly notices: readonly string[];
}

/** Flags override the environment, which overrides the project's config and the defaults. Only a flag may exceed a bound. */
export function setLimits(
  asked: AskedLimits,
  env: NodeJS.ProcessEnv,
  config: ProjectConfig | null,
): SetLimits {
  const notices: string[] = [];
  const bounded = (what: string, value: number | undefined, bound: number): number | undefined => {
    if (value === undefined || value <= bound) return value;
    notices.push(`${what} ${value} is more than ${bound}, which only a flag may exceed; using ${bound}.`);
    return bound;
  };
  const fromConfig = config?.limits ?? {};
  const budget = (): number | null =>
    bounded("The budget", positiveFrom(env, "LOOP_BUDGET") ?? fromConfig.budget, BUDGET_BOUND_USD) ??
    DEFAULT_LIMITS.budgetUsd;
  const iterations = (): number =>
    bounded(
      "The iteration limit",
      wholeFrom(env, "LOOP_MAX_ITERATIONS") ?? fromConfig.iterations,
      ITERATIONS_BOUND,
    ) ?? DEFAULT_ITERATIONS;
  return {
    limits: {
      budgetUsd: asked.budgetUsd !== undefined ? asked.budgetUsd : budget(),
      tokens: asked.tokens ?? fromConfig.maxTokens ?? DEFAULT_LIMITS.tokens,
      minutes: asked.minutes ?? fromConfig.maxMinutes ?? DEFAULT_LIMITS.minutes,
      stuck: asked.stuck ?? fromConfig.stuck ?? DEFAULT_LIMITS.stuck,
      sameError: asked.sameError ?? fromConfig.sameError ?? DEFAULT_LIMITS.sameError,
      sameFile: asked.sameFile ?? fromConfig.sameFile ?? DEFAULT_LIMITS.sameFile,
      noProgress: asked.noProgress ?? fromConfig.noProgress ?? DEFAULT_LIMITS.noProgress,
      ttlMs: asked.ttlMs ?? DEFAULT_LIMITS.ttlMs,
    },
    iterationLimit: asked.iterations !== undefined ? asked.iterations : iterations(),
    notices,
  };
}

/** An agent that opens a loop may set limits, but not past the bounds: it's the user's money. These flags its user has to type. */
export function flagsPastBounds({ budget, iterations }: LimitFlags): readonly string[] {
  return [
    ...(isPast(budget, BUDGET_BOUND_USD) ? [`--budget=${budget}`] : []),
    ...(isPast(iterations, ITERATIONS_BOUND) ? [`--iterations=${iterations}`] : []),
  ];
}

export interface LimitFlags {
  readonly budget?: number | "none";
  readonly iterations?: number | "none";
}

function isPast(value: number | "none" | undefined, bound: number): boolean {
  return value === "none" || (value !== undefined && value > bound);
}

function wholeFrom(env: NodeJS.ProcessEnv, name: string): number | undefined {
  const value = positiveFrom(env, name);
  if (value !== undefined && !Number.isSafeInteger(value))
    throw new UserError(`${name} is ${value}; set it to a whole number.`);
  return value;
}

function positiveFrom(env: NodeJS.ProcessEnv, name: string): number | undefined {
  const text = env[name];
  if (text === undefined || text.trim() === "") return undefined;
  const value = Number(text);
  if (!Number.isFinite(value) || value <= 0)
    throw new UserError(`${name} is "${text.slice(0, 40)}"; set it to a number above 0, or unset it.`);
  return value;
}
