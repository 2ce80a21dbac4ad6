import { scoreAsked } from "../../opening/asked-loop.ts";
import type { Actor, EventOf } from "../../../core/events/event.ts";
import { topFrame, type Loop } from "../../../core/loop/loop.ts";
import type { IntentSummary, ModelScore } from "../../../core/stages/stages.ts";
import type { Answer } from "../../../core/questions/intent/answers.ts";
import { answeredSpec, answersAfter, correctedSpec } from "../../../core/questions/intent/answers.ts";
import { intentSummaryOf, isTooVague, shapeOfWorkflow } from "../../../core/questions/intent/model-scores.ts";
import { CLEAR_ALREADY, type IntentQuestion } from "../../../core/questions/intent/intent-question.ts";
import { drawShape } from "../../../core/questions/shape/draw-shape.ts";
import type { SpecScore } from "../../../core/spec/score.ts";
import { stagesOf, type StageContext } from "./stage-context.ts";

/** The spec, sharpened by what was answered so far. */
export interface Understood {
  /** Without the answers: as it was given, or what its author said instead. */
  readonly request: string;
  readonly spec: string;
  readonly score: SpecScore;
  readonly answers: readonly AnsweredQuestion[];
  /** What its author said instead, in order. */
  readonly corrections: readonly string[];
}

export type AnsweredQuestion = Answer & { readonly question: string };

/** Before anybody answered anything. */
export function asGiven(loop: Loop): Understood {
  const { spec } = topFrame(loop);
  return { request: spec, spec, score: loop.score, answers: [], corrections: [] };
}

export function isStillVague(loop: Loop, { score }: Pick<Understood, "score">): boolean {
  return isTooVague(scored(loop, score));
}

export function shapeFor(
  loop: Loop,
  { score }: Pick<Understood, "score">,
  isAttended: boolean,
): Loop["shape"] {
  return shapeOfWorkflow(scored(loop, score), isAttended);
}

function scored(loop: Loop, score: SpecScore): Parameters<typeof isTooVague>[0] {
  return {
    score,
    familiarity: loop.recall?.familiarity ?? 0,
    insisted: stagesOf(loop).wishes.shape,
    hasCheck: topFrame(loop).criteria.some(({ check }) => check !== null),
  };
}

export function withQuestions(
  questions: readonly IntentQuestion[],
  answers: readonly Answer[],
): readonly AnsweredQuestion[] {
  return answers.map((each) => ({
    ...each,
    question: questions.find(({ about }) => about === each.about)?.text ?? each.about,
  }));
}

/** All answers together, put behind the request. */
export function answeredBy(
  loop: Loop,
  answers: readonly AnsweredQuestion[],
  before: Understood = asGiven(loop),
): Understood {
  const { request, corrections } = before;
  const telling = answers.filter(({ text }) => text !== CLEAR_ALREADY);
  const spec = answeredSpec(request, telling);
  const { criteria } = topFrame(loop);
  const { mustNots, protects } = loop;
  const score =
    spec === topFrame(loop).spec ? loop.score : scoreAsked({ spec, criteria, mustNots, protects });
  return { request, spec, score, answers, corrections };
}

/** What was meant instead takes the place of the request, and of the answers that it speaks of. */
export function correctedBy(loop: Loop, before: Understood, words: string): Understood {
  const request = correctedSpec(before.request, words);
  const corrections = [...before.corrections, words];
  return answeredBy(loop, answersAfter(words, before.answers), { ...before, request, corrections });
}

export async function summaryFor(
  { live, facts }: Pick<StageContext, "live" | "facts">,
  { spec, score, answers }: Understood,
): Promise<IntentSummary> {
  const { folder, mustNots } = live.loop;
  const { criteria } = topFrame(live.loop);
  const { wishes } = stagesOf(live.loop);
  const drawn = drawShape({ spec, folder, criteria, mustNots, wishes, facts: await facts() });
  const checked = drawn.shape.criteria.find(({ check, proposed }) => check !== null || proposed !== null);
  return intentSummaryOf({
    spec,
    score,
    answers: answers.filter(({ text }) => text !== CLEAR_ALREADY),
    mustNots: [...mustNots, ...drawn.mustNots],
    firstCheck: checked?.name ?? null,
  });
}

export function intentSettled(
  loop: Loop,
  { spec, score, answers, corrections, echo }: Understood & { readonly echo: IntentSummary },
  {
    by,
    isAttended,
    modelScores,
  }: { readonly by: Actor; readonly isAttended: boolean; readonly modelScores: readonly ModelScore[] },
): EventOf<"intent.settled"> {
  return {
    type: "intent.settled",
    spec,
    score,
    shape: shapeFor(loop, { score }, isAttended),
    intent: {
      answers: [
        ...answers.map(({ question, text }) => ({ question, answer: text })),
        ...corrections.map((answer) => ({ question: "What do you mean instead?", answer })),
      ],
      modelScores,
      echo,
    },
    by,
  };
}
