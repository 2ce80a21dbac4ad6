import type { PlannedTask } from "../../src/core/plan/plan.ts";
import type { SetbackKind } from "../../src/core/plan/workflow.ts";

/** How a simulated attempt goes. */
export interface PlayedAttempt {
  readonly ms: number;
  /** Of what it may spend. */
  readonly costs: number;
  /** null: it comes to a result. */
  readonly setback: Extract<SetbackKind, "failed" | "lost" | "setup"> | null;
}

/** All that happens to a simulated workflow; the same scenario always plays the same. */
export interface Scenario {
  readonly tasks: readonly PlannedTask[];
  readonly parallel: number;
  readonly attemptLimit: number;
  readonly attemptUsd: number | null;
  readonly budgetUsd: number | null;
  readonly agents: readonly string[];
  readonly isGit: boolean;
  readonly attempt: (task: string, number: number) => PlayedAttempt;
  /** How long the checks of one merge take. */
  readonly checkMs: number;
  /** How many results the driver merges together at most, whatever it is told. */
  readonly mostTogether: number;
  readonly overlap: (task: string, other: string) => boolean;
  /** Whether the result conflicts with another task's, which its base doesn't have. */
  readonly conflict: (task: string, number: number, other: string) => boolean;
  /** Whether the checks of the two are red together, where each is green alone. */
  readonly isRedTogether: (task: string, number: number, other: string) => boolean;
  /** When an agent is at its usage limit. */
  readonly limits: readonly { readonly agent: string; readonly from: number; readonly until: number }[];
  /** The driver is killed when it comes to these points, counted over all of its lives. */
  readonly kills: ReadonlySet<number>;
}

/** A scenario in which nothing goes wrong and merges take no time. */
export function smooth(
  tasks: readonly PlannedTask[],
  part: Partial<Scenario> & Pick<Scenario, "attempt">,
): Scenario {
  return {
    tasks,
    parallel: 4,
    attemptLimit: 3,
    attemptUsd: null,
    budgetUsd: null,
    agents: ["codex"],
    isGit: true,
    checkMs: 0,
    mostTogether: Number.POSITIVE_INFINITY,
    overlap: () => false,
    conflict: () => false,
    isRedTogether: () => false,
    limits: [],
    kills: new Set(),
    ...part,
  };
}

/** From 0 up to 1, the same for the same words. */
export function chance(seed: number, ...words: readonly (string | number)[]): number {
  let hash = 2_166_136_261 ^ seed;
  for (const character of words.join("/")) hash = Math.imul(hash ^ character.charCodeAt(0), 16_777_619);
  hash = Math.imul(hash ^ (hash >>> 16), 2_246_822_507);
  hash = Math.imul(hash ^ (hash >>> 13), 3_266_489_909);
  return ((hash ^ (hash >>> 16)) >>> 0) / 2 ** 32;
}
