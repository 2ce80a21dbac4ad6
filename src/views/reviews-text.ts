import { blockersIn, blockersLeft, wasAsked } from "../core/stages/stages.ts";
import type { Stages, ThoroughReview } from "../core/stages/stages.ts";

/** `wave 1: 8/10, wave 2: 7/10 (1 blocker), thorough: passed`; `none` before the first one. */
export function reviewsText(stages: Stages | null): string {
  if (stages === null) return "none";
  const ofWaves = stages.waveReviews.filter(wasAsked).map(({ wave, score, findings }) => {
    const blockers = blockersIn(findings).length;
    return `wave ${wave}: ${score === null ? "no answer" : `${score}/10`}${blockers === 0 ? "" : ` (${counted(blockers)})`}`;
  });
  const last = stages.reviews.findLast(wasAsked);
  const texts = last === undefined ? ofWaves : [...ofWaves, `thorough: ${thoroughText(last)}`];
  return texts.length === 0 ? "none" : texts.join(", ");
}

function thoroughText(review: ThoroughReview): string {
  if (review.failure !== null) return "no answer";
  const left = blockersLeft(review).length;
  return left === 0 ? "passed" : `${counted(left)} left`;
}

function counted(blockers: number): string {
  return blockers === 1 ? "1 blocker" : `${blockers} blockers`;
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
