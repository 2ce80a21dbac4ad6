import type { Finding, Resolution, GateVerdict, Review, Stages } from "../core/stages/stages.ts";
import { SEVERITIES } from "../core/stages/stages.ts";

/** A finding, and what became of it. */
export interface SettledFinding extends Finding {
  readonly round: number;
  /** null: nobody has decided yet. */
  readonly resolution: Resolution | null;
  /** The task that it became. */
  readonly task: string | null;
}

interface ReviewStatus extends Pick<
  Review,
  "score" | "dropped" | "unseen" | "agent" | "failure" | "perspectives"
> {
  readonly issues: number;
  readonly blockers: number;
}

/** What judges the work of a plan beside its checks. Names are public. */
export interface JudgementStatus {
  readonly counsels: number;
  readonly waves: readonly (ReviewStatus & { readonly wave: number })[];
  readonly rounds: readonly (ReviewStatus & { readonly round: number; readonly commit: string | null })[];
  readonly roundLimit: number;
  /** Of all rounds, riskiest first: blockers that nobody put right, then the rest, then what became a task. */
  readonly findings: readonly SettledFinding[];
  readonly gate: GateVerdict | null;
}

export function judgementStatus(stages: Stages | null): JudgementStatus | null {
  if (stages === null) return null;
  return {
    counsels: stages.counsels.length,
    waves: stages.waveReviews.map((review) => ({ wave: review.wave, ...statusOf(review) })),
    rounds: stages.reviews.map((review) => ({
      round: review.round,
      commit: review.commit,
      ...statusOf(review),
    })),
    roundLimit: stages.roundLimit,
    findings: settledFindings(stages),
    gate: stages.gates.at(-1) ?? null,
  };
}

function statusOf({ score, findings, dropped, unseen, agent, failure, perspectives }: Review): ReviewStatus {
  const blockers = findings.filter(({ severity }) => severity === "BLOCKER").length;
  return { score, issues: findings.length, blockers, dropped, unseen, agent, failure, perspectives };
}

function settledFindings({ reviews }: Stages): readonly SettledFinding[] {
  const all = reviews.toReversed().flatMap(({ round, findings, resolved }) =>
    findings.map((finding) => {
      const settled = resolved.find((each) => each.finding === finding.id);
      return { ...finding, round, resolution: settled?.how ?? null, task: settled?.task ?? null };
    }),
  );
  return all.toSorted((one, other) => riskOf(one) - riskOf(other));
}

function riskOf({ severity, task }: SettledFinding): number {
  return task === null ? SEVERITIES.indexOf(severity) : SEVERITIES.length;
}
