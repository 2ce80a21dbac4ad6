import * as fc from "fast-check";
import { planned } from "./workflow-builders.ts";
import type { PlayedJudgement, Scenario } from "./workflow-scenario.ts";
import { chance } from "./workflow-scenario.ts";

const MINUTE = 60_000;
const AGENTS = ["codex", "claude", "gemini"] as const;

const idOf = (index: number): string => `T-${String(index + 1).padStart(3, "0")}`;

const randomGraph = fc
  .array(
    fc.record({
      blockers: fc.array(fc.nat(), { maxLength: 3 }),
      files: fc.uniqueArray(fc.nat({ max: 5 }), { maxLength: 2 }),
      estimateMs: fc.option(fc.integer({ min: 1, max: 30 * MINUTE })),
    }),
    { minLength: 1, maxLength: 14 },
  )
  .map((tasks) =>
    tasks.map(({ blockers, files, estimateMs }, index) => {
      const blockedBy = index === 0 ? [] : [...new Set(blockers.map((each) => idOf(each % index)))];
      return planned(idOf(index), blockedBy, { files: files.map(String), estimateMs });
    }),
  );

const randomLimit = fc
  .record({
    agent: fc.constantFrom(...AGENTS),
    from: fc.integer({ min: 0, max: 120 * MINUTE }),
    ms: fc.integer({ min: 1, max: 60 * MINUTE }),
  })
  .map(({ agent, from, ms }) => ({ agent, from, until: from + ms }));

/** How often attempts fail and results don't fit each other; with 0, a plan comes to its end. */
const randomOdds = fc.record({
  failed: fc.constantFrom(0, 0.2, 0.6),
  conflict: fc.constantFrom(0, 0.3, 0.8),
  red: fc.constantFrom(0, 0.1, 0.4),
});

const randomJudgement = fc.record({
  asks: fc.constantFrom(true, true, false),
  rounds: fc.integer({ min: 1, max: 3 }),
  askMs: fc.constantFrom(0, MINUTE, 60 * MINUTE),
  unanswered: fc.constantFrom(0, 0.3),
  blocked: fc.constantFrom(0, 0.4, 1),
  accepted: fc.constantFrom(0, 0.5),
  shut: fc.constantFrom(0, 0.3, 1),
  idle: fc.constantFrom(0, 0.5, 1),
});

/** Any plan, with failures, conflicts, results that are red together, usage limits and kills. */
export const randomScenario: fc.Arbitrary<Scenario> = fc
  .record({
    seed: fc.nat(),
    tasks: randomGraph,
    parallel: fc.integer({ min: 1, max: 5 }),
    attemptLimit: fc.integer({ min: 1, max: 4 }),
    attemptUsd: fc.option(fc.constantFrom(0.5, 2)),
    budgetUsd: fc.option(fc.constantFrom(0.3, 3, 10)),
    areCapped: fc.boolean(),
    turnUsd: fc.constantFrom(0.02, 0.4, 2.5),
    agents: fc.constantFrom(AGENTS.slice(0, 1), AGENTS.slice(0, 2), AGENTS),
    isGit: fc.constantFrom(true, true, true, false),
    checkMs: fc.constantFrom(0, MINUTE, 30 * MINUTE),
    limits: fc.array(randomLimit, { maxLength: 4 }),
    kills: fc.uniqueArray(fc.integer({ min: 1, max: 250 }), { maxLength: 6 }),
    odds: randomOdds,
    judging: fc.option(randomJudgement),
  })
  .map(({ seed, odds, kills, limits, judging, turnUsd, ...plan }) => {
    const filesOf = new Map(plan.tasks.map(({ id, files }) => [id, files]));
    const overlap = (task: string, other: string): boolean =>
      filesOf.get(task)?.some((file) => filesOf.get(other)?.includes(file)) ?? false;
    return {
      ...plan,
      mostTogether: Number.POSITIVE_INFINITY,
      overlap,
      limits: apart(limits),
      kills: new Set(kills),
      judgement: judging === null ? null : played(seed, judging),
      attempt: (task, number) => ({
        ms: 1 + Math.floor(chance(seed, "ms", task, number) * 30 * MINUTE),
        turnsUsd: pricesOf(turnUsd, number, chance(seed, "turns", task, number)),
        setback: chance(seed, "fails", task, number) < odds.failed ? "failed" : null,
      }),
      // Plans don't say all that a task touches.
      conflict: (task, number, other) =>
        chance(seed, "conflict", task, number, other) <
        (overlap(task, other) ? odds.conflict : odds.conflict / 10),
      isRedTogether: (task, number, other) => chance(seed, "red", task, number, other) < odds.red,
    };
  });

/** All turns cost the same, so that the first one tells what another would cost. Work that is dearer than its share gets cheap in the end. */
function pricesOf(turnUsd: number, number: number, share: number): readonly number[] {
  if (number > 4) return [Math.min(turnUsd, 0.02)];
  return Array.from({ length: 1 + Math.floor(share * 4) }, () => turnUsd);
}

/** An agent meets one limit at a time. */
function apart(limits: Scenario["limits"]): Scenario["limits"] {
  return limits.filter(
    (limit, index) =>
      !limits
        .slice(0, index)
        .some(
          (other) => other.agent === limit.agent && other.from <= limit.until && limit.from <= other.until,
        ),
  );
}

function played(
  seed: number,
  odds: typeof randomJudgement extends fc.Arbitrary<infer Odds> ? Odds : never,
): PlayedJudgement {
  const happens = (share: number, ...words: readonly (string | number)[]): boolean =>
    chance(seed, ...words) < share;
  // Whoever finds fault for ever would never let it end.
  const isHard = (round: number): boolean => round <= 4;
  return {
    policy: { asks: odds.asks, rounds: odds.rounds },
    askMs: odds.askMs,
    blockers: (round) => {
      if (happens(odds.unanswered, "answers", round)) return null;
      return isHard(round) && happens(odds.blocked, "blocks", round) ? 1 + (round % 2) : 0;
    },
    accepts: (round, finding) => happens(odds.accepted, "accepts", round, finding),
    opensGate: (round) => !(isHard(round) && happens(odds.shut, "gate", round)),
    changes: (task) => !happens(odds.idle, "idle", task),
  };
}
