import { scoreAsked } from "../../app/open-loop.ts";
import type { Actor, EventOf } from "../../core/event.ts";
import type { Loop } from "../../core/loop.ts";
import { topFrame } from "../../core/loop.ts";
import type { Echo, ModelScore } from "../../core/stages/stages.ts";
import type { Answer } from "../../judgement/intent/answered-spec.ts";
import { answeredSpec } from "../../judgement/intent/answered-spec.ts";
import { echoOf } from "../../judgement/intent/echo.ts";
import type { IntentQuestion } from "../../judgement/intent/question.ts";
import { CLEAR_ALREADY } from "../../judgement/intent/question.ts";
import { isTooVague, shapeOfWorkflow } from "../../judgement/intent/vague.ts";
import { statedMustNots } from "../../judgement/shape/stated-must-nots.ts";
import type { SpecScore } from "../../rubric/score.ts";
import type { StageContext } from "./stage-context.ts";
import { stagesOf } from "./stage-context.ts";

/** The spec, sharpened by what was answered so far. */
export interface Understood {
  readonly spec: string;
  readonly score: SpecScore;
  readonly answers: readonly AnsweredQuestion[];
}

export type AnsweredQuestion = Answer & { readonly question: string };

/** Before anybody answered anything. */
export function asGiven(loop: Loop): Understood {
  return { spec: topFrame(loop).spec, score: loop.score, answers: [] };
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

/** All answers together, put behind the spec as it was given. */
export function answeredBy(loop: Loop, answers: readonly AnsweredQuestion[]): Understood {
  const first = asGiven(loop);
  const telling = answers.filter(({ text }) => text !== CLEAR_ALREADY);
  if (telling.length === 0) return { ...first, answers };
  const spec = answeredSpec(first.spec, telling);
  const { criteria } = topFrame(loop);
  const { mustNots, protects } = loop;
  return { spec, score: scoreAsked({ spec, criteria, mustNots, protects }), answers };
}

export async function echoFor(
  { live, facts }: Pick<StageContext, "live" | "facts">,
  { spec, score }: Understood,
): Promise<Echo> {
  const { folder, mustNots } = live.loop;
  const { checks, files } = await facts();
  const checked = topFrame(live.loop).criteria.find(({ check }) => check !== null)?.name;
  return echoOf({
    spec,
    score,
    mustNots: [...mustNots, ...statedMustNots(spec, files, folder)],
    firstCheck: checked ?? checks[0]?.name ?? null,
  });
}

export function intentSettled(
  loop: Loop,
  { spec, score, answers, echo }: Understood & { readonly echo: Echo },
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
      answers: answers.map(({ question, text }) => ({ question, answer: text })),
      modelScores,
      echo,
    },
    by,
  };
}
