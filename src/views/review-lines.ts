import type { Finding, Counsel, GateItem, GateVerdict, Review, Stages, ThoroughReview } from "../core/stages/stages.ts";
import { blockersIn, EVERY_TASK, wasAsked } from "../core/stages/stages.ts";
import { oneLine, wholeWords } from "../system/text/plain-text.ts";

/** `[LOOP] Wave 2 review: 7/10 | 3 issues (1 blockers)` */
export function waveReviewLine(wave: number, review: Review): string {
  return `[LOOP] Wave ${wave} review: ${reviewText(review)}`;
}

export function workReviewLine(review: ThoroughReview): string {
  const dropped = review.dropped === 0 ? "" : ` | ${review.dropped} dropped: they quote nothing of the diff`;
  return `[LOOP] Review ${review.round}: ${reviewText(review)}${dropped}`;
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

export function counselLine({ task, after, agent, perspectives, approach }: Counsel): string {
  const by = agent === null ? "another approach" : `counsel of ${perspectives.join(", ")}`;
  return `${task}: ${by} after attempt ${after}: ${wholeWords(approach, 160)}`;
}

export function gateLine({ passed, items }: GateVerdict): string {
  const open = items.filter(({ state }) => state === "open").map(({ name }) => name);
  const weak = items.filter(({ state }) => state === "weak").map(({ name }) => name);
  const parts = [
    `${items.filter(({ state }) => state === "met").length} of ${items.length} shown`,
    ...(weak.length === 0 ? [] : [`not shown: ${weak.join(", ")}`]),
    ...(open.length === 0 ? [] : [`refuted: ${open.join(", ")}`]),
  ];
  return `[LOOP] Gate: ${gateWords({ passed, items })} | ${parts.join(" | ")}`;
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
  const rest = others === 0 ? "" : `, ${others} smaller finding${others === 1 ? "" : "s"}`;
  if (blockers === 0) return `passed, ${score}${rest}`;
  return `${blockers} blocker${blockers === 1 ? "" : "s"}, ${score}${rest}`;
}
