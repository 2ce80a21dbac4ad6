import type { SpecScore } from "../../spec/score.ts";
import type { Dimension } from "../../spec/rule.ts";
import { DIMENSIONS } from "../../spec/rule.ts";
import type { Gap } from "./model-scores.ts";
import { gapText } from "./model-scores.ts";

/** What a spec leaves open, with answers that would do. */
export interface IntentQuestion {
  readonly about: Dimension;
  readonly text: string;
  /** Concrete proposals, the best one first. */
  readonly choices: readonly string[];
}

type ChoicesFor = (about: Dimension) => readonly string[];

export const MOST_CHOICES = 4;

/** An answer that adds nothing to the spec. */
export const CLEAR_ALREADY = "The spec is clear about it as it is";

/** One question for each dimension that isn't explicit, with the proposals for it. */
export function weakQuestions(score: SpecScore, choicesFor: ChoicesFor): readonly IntentQuestion[] {
  // The rubric asks about each of these, in this order.
  return DIMENSIONS.filter((about) => score[about] < 2).map((about, index) => ({
    about,
    text: score.questions[index] ?? about,
    choices: choicesFor(about).slice(0, MOST_CHOICES),
  }));
}

/** One question for each dimension that a model reads quite differently. */
export function gapQuestions(gaps: readonly Gap[], choicesFor: ChoicesFor): readonly IntentQuestion[] {
  return gaps.map((gap) => ({
    about: gap.about,
    text: `${gapText(gap)}. What is meant?`,
    choices: [CLEAR_ALREADY, ...choicesFor(gap.about)].slice(0, MOST_CHOICES),
  }));
}
