import type { PlannedTask } from "../../src/core/plan/plan.ts";
import type { JudgementPolicy } from "../../src/core/stages/stages.ts";
import type { SetbackKind } from "../../src/core/plan/workflow.ts";

/** How a simulated attempt goes. */
export interface PlayedAttempt {
  readonly ms: number;
  /** What its turns cost, as far as it comes. */
  readonly turnsUsd: readonly number[];
  /** null: it comes to a result. */
  readonly setback: Extract<SetbackKind, "failed" | "lost" | "setup"> | null;
}

/** How reviewers, the person who decides on findings, and the gate behave. */
export interface PlayedJudgement {
  readonly policy: JudgementPolicy;
  readonly askMs: number;
  /** How many blockers a review finds; null: it gives no usable answer. */
  readonly blockers: (round: number) => number | null;
  readonly accepts: (round: number, finding: string) => boolean;
  readonly opensGate: (round: number) => boolean;
  /** Whether the work on what a review or the gate found changes anything. */
  readonly changes: (task: string) => boolean;
}

/** All that happens to a simulated workflow; the same scenario always plays the same. */
export interface Scenario {
  readonly tasks: readonly PlannedTask[];
  readonly parallel: number;
  readonly attemptLimit: number;
  readonly attemptUsd: number | null;
  readonly budgetUsd: number | null;
  /** Whether the agents end by themselves at their budget. */
  readonly areCapped: boolean;
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
  /** What judges the work beside its checks; null: nothing does, as in workflows before there were stages. */
  readonly judgement: PlayedJudgement | null;
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
    areCapped: true,
    agents: ["codex"],
    isGit: true,
    checkMs: 0,
    mostTogether: Number.POSITIVE_INFINITY,
    overlap: () => false,
    conflict: () => false,
    isRedTogether: () => false,
    limits: [],
    judgement: null,
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
