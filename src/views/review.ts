import { blockersIn, SEVERITIES, blockersLeft, EVERY_TASK, wasAsked } from "../core/stages/stages.ts";
import type {
  Finding,
  Resolution,
  RetryAdvice,
  GateItem,
  GateVerdict,
  Review,
  Stages,
  ThoroughReview,
  Voice,
} from "../core/stages/stages.ts";
import { disagrees } from "../core/questions/review/panel.ts";
import { counted } from "../system/text/quantities.ts";
import { oneLine, wholeWords } from "../system/text/plain-text.ts";

/** `[LOOP] Wave 2 review: 7/10 | 3 issues (1 blockers)` */
export function waveReviewLine(wave: number, review: Review): string {
  return `[LOOP] Wave ${wave} review: ${reviewText(review)}`;
}

export function reviewLine(review: Review): string {
  return `[LOOP] Review: ${reviewText(review)}`;
}

export function workReviewLine(review: ThoroughReview): string {
  const dropped = review.dropped === 0 ? "" : ` | ${review.dropped} dropped: they quote nothing of the diff`;
  return `[LOOP] Review ${review.round}: ${reviewText(review)}${dropped}`;
}

/** Who answered, with their own scores, and whether they see it differently; nothing where one reviewer answered for all. */
export function panelLines({ panel = [] }: Pick<Review, "panel">): readonly string[] {
  if (panel.length === 0) return [];
  const voices = panel.map(({ perspective, score, failure }) =>
    score === null
      ? `${perspective}: none (${oneLine(failure ?? "no answer", 60)})`
      : `${perspective} ${score}/10`,
  );
  return [`  ${voices.join(", ")}${disagrees(panel) ? "; they disagree: loop review" : ""}`];
}

function reviewText({ score, findings, failure }: Review): string {
  if (failure !== null) return `none (${oneLine(failure, 200)})`;
  return `${score ?? 0}/10 | ${findings.length} issues (${blockersIn(findings).length} blockers)`;
}

/** `BLOCKER F-1 src/cart.js:3 (correctness)` */
export function findingHead({ severity, id, file, line, perspective }: Finding): string {
  const place = `${oneLine(file, 120)}${line === null ? "" : `:${line}`}`;
  return `${severity} ${id} ${place} (${oneLine(perspective, 40)})`;
}

export function counselLine({ task, after, agent, perspectives, approach }: RetryAdvice): string {
  const by = agent === null ? "another approach" : `counsel of ${perspectives.join(", ")}`;
  return `${task}: ${by} after attempt ${after}: ${wholeWords(approach, 160)}`;
}

export function gateLine({ passed, items }: GateVerdict): string {
  const named = (wanted: GateItem["state"]): readonly string[] =>
    items.filter(({ state }) => state === wanted).map(({ name }) => name);
  const part = (label: string, names: readonly string[]): string =>
    names.length === 0 ? "" : ` | ${label}: ${names.join(", ")}`;
  const shown = `${named("met").length} of ${items.length} shown`;
  return `[LOOP] Gate: ${gateWords({ passed, items })} | ${shown}${part("not shown", named("weak"))}${part("refuted", named("open"))}`;
}

/** That nothing speaks against the work doesn't mean that something shows it. */
export function gateWords({ passed, items }: Pick<GateVerdict, "passed" | "items">): string {
  if (!passed) return "shut";
  const isShown = items.every(({ name, state }) => name !== EVERY_TASK || state === "met");
  return isShown ? "passed" : "passed, but not every task is verified";
}

/** What a line of the gate's checklist lacks: its name alone would read as if it held. */
export function lackText({ name, detail }: Pick<GateItem, "name" | "detail">): string {
  return `not shown: ${name}${detail === null ? "" : ` (${oneLine(detail, 100)})`}`;
}

/** What the reviews came to, in a few words: `passed in round 2, 1 warning`. */
export function reviewSummary(stages: Stages): string {
  const last = stages.reviews.at(-1);
  if (last === undefined) return "none";
  if (!wasAsked(last)) return `none (${oneLine(last.failure ?? "nobody could be asked", 60)})`;
  if (last.failure !== null) return `no usable answer (${oneLine(last.failure, 60)})`;
  const blockers = blockersIn(last.findings).length;
  const others = last.findings.length - blockers;
  const score = `${last.score ?? 0}/10 in round ${last.round}`;
  const rest = others === 0 ? "" : `, ${counted(others, "smaller finding")}`;
  return `${blockers === 0 ? "passed" : counted(blockers, "blocker")}, ${score}${rest}`;
}

/** `wave 1: 8/10, wave 2: 7/10 (1 blocker), thorough: passed`; `none` before the first one. */
export function reviewsText(stages: Stages | null): string {
  if (stages === null) return "none";
  const ofWaves = stages.waveReviews.filter(wasAsked).map(({ wave, score, findings }) => {
    const blockers = blockersIn(findings).length;
    return `wave ${wave}: ${score === null ? "no answer" : `${score}/10`}${blockers === 0 ? "" : ` (${counted(blockers, "blocker")})`}`;
  });
  const last = stages.reviews.findLast(wasAsked);
  const texts = last === undefined ? ofWaves : [...ofWaves, `thorough: ${thoroughText(last)}`];
  return texts.length === 0 ? "none" : texts.join(", ");
}

function thoroughText(review: ThoroughReview): string {
  if (review.failure !== null) return "no answer";
  const left = blockersLeft(review).length;
  if (left > 0) return `${counted(left, "blocker")} left`;
  const all = blockersIn(review.findings).length;
  return all === 0 ? "passed" : `${counted(all, "blocker")} settled`;
}

/** The reviews of a workflow as earlier hooks read them. */
export function reviewsView(stages: Stages | null): { readonly [name: string]: object } {
  const waves = (stages?.waveReviews ?? [])
    .filter(wasAsked)
    .map(({ wave, score, findings }) => [
      `wave_${wave}`,
      { score, issues: findings.length, blockers: blockersIn(findings).length },
    ]);
  const last = stages?.reviews.findLast(wasAsked);
  const thorough = last === undefined ? [] : [["thorough", thoroughView(last)]];
  return Object.fromEntries([...waves, ...thorough]) as { [name: string]: object };
}

function thoroughView(review: ThoroughReview): object {
  const left = blockersLeft(review).length;
  return { passed: review.failure === null && left === 0, blockers_remaining: left };
}

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
  "score" | "dropped" | "unquoted" | "unseen" | "agent" | "failure" | "perspectives"
> {
  /** Empty where one reviewer answered for all. */
  readonly panel: readonly Voice[];
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
    rounds: stages.reviews.map((each) => ({ round: each.round, commit: each.commit, ...statusOf(each) })),
    roundLimit: stages.roundLimit,
    findings: settledFindings(stages),
    gate: stages.gates.at(-1) ?? null,
  };
}

function statusOf(review: Review): ReviewStatus {
  const { score, findings, dropped, unquoted, unseen, agent, failure, perspectives, panel = [] } = review;
  const blockers = blockersIn(findings).length;
  const counted = { score, issues: findings.length, blockers, dropped };
  return { ...counted, unquoted: unquoted ?? [], unseen, agent, failure, perspectives, panel };
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
