import { scoreAsked } from "../../app/open-loop.ts";
import type { EventOf } from "../../core/event.ts";
import type { Loop } from "../../core/loop.ts";
import { topFrame } from "../../core/loop.ts";
import type { Echo, ModelScore } from "../../core/stages/stages.ts";
import type { Answer } from "../../judgement/intent/answered-spec.ts";
import { answeredSpec } from "../../judgement/intent/answered-spec.ts";
import { choicesFrom } from "../../judgement/intent/choices.ts";
import { echoOf } from "../../judgement/intent/echo.ts";
import {
  echoOfModel,
  intentAnswer,
  intentText,
  withProposals,
} from "../../judgement/intent/intent-question.ts";
import type { Gap } from "../../judgement/intent/model-scores.ts";
import {
  countedScores,
  gapsBetween,
  gapText,
  scoreAnswer,
  scoreText,
} from "../../judgement/intent/model-scores.ts";
import type { IntentQuestion } from "../../judgement/intent/question.ts";
import { CLEAR_ALREADY, gapQuestions, weakQuestions } from "../../judgement/intent/question.ts";
import { isTooVague, shapeOfWorkflow } from "../../judgement/intent/vague.ts";
import { statedMustNots } from "../../judgement/shape/stated-must-nots.ts";
import type { SpecScore } from "../../rubric/score.ts";
import { recordOurs } from "../take-workflow.ts";
import type { StageContext } from "./stage-context.ts";
import { askModel, stagesOf } from "./stage-context.ts";

/** The spec, sharpened by what was answered so far. */
interface Understood {
  readonly spec: string;
  readonly score: SpecScore;
  readonly answers: readonly (Answer & { readonly question: string })[];
}

const MOST_ROUNDS = 5;

/** Settles what is meant: asks what a weak spec leaves open, has the result confirmed, and records it with its score. */
export async function settleIntent(context: StageContext): Promise<void> {
  const { loop } = context.live;
  const { spec } = topFrame(loop);
  const first: Understood = { spec, score: loop.score, answers: [] };
  // Before anything is spent on it.
  if (context.person === null && isTooVague(scored(loop, first.score))) return pauseVague(context);
  const modelScores = await scoresOfModel(context, spec);
  const { questions, echo } = await openQuestions(context, first, gapsBetween(first.score, modelScores));
  // What was cut off is asked again.
  if (context.interrupts.now.aborted) return undefined;
  const answered = await askPerson(context, first, questions);
  if (answered === null) return context.interrupts.asked() ? undefined : pauseVague(context);
  const settled = await confirm(context, answered, answered === first ? echo : null);
  if (settled === null) return undefined;
  const isAttended = context.person !== null;
  const event: EventOf<"intent.settled"> = {
    type: "intent.settled",
    spec: settled.spec,
    score: settled.score,
    shape: shapeOfWorkflow(scored(loop, settled.score), isAttended),
    intent: {
      answers: settled.answers.map(({ question, text }) => ({ question, answer: text })),
      modelScores,
      echo: settled.echo,
    },
    by: isAttended ? "person" : "machine",
  };
  await recordOurs(context, [event]);
  return undefined;
}

function scored(loop: Loop, score: SpecScore): Parameters<typeof isTooVague>[0] {
  return {
    score,
    familiarity: loop.recall?.familiarity ?? 0,
    insisted: stagesOf(loop).wishes.shape,
    hasCheck: topFrame(loop).criteria.some(({ check }) => check !== null),
  };
}

async function pauseVague(context: StageContext): Promise<void> {
  const { score } = context.live.loop;
  const detail = `the spec is too vague (${score.total}/10), and nobody answered what it leaves open`;
  await recordOurs(context, [{ type: "loop.paused", reason: "blocked", detail, by: "machine" }]);
}

async function scoresOfModel(context: StageContext, spec: string): Promise<readonly ModelScore[]> {
  const answer = await askModel(context, {
    purpose: "score",
    id: "score",
    text: scoreText(spec),
    schema: scoreAnswer,
  });
  return answer === null ? [] : countedScores(spec, answer);
}

/** What to ask the person, with a model's proposals in front of the project's own; and what the model understood. */
async function openQuestions(
  context: StageContext,
  { spec, score }: Understood,
  gaps: readonly Gap[],
): Promise<{ readonly questions: readonly IntentQuestion[]; readonly echo: Echo | null }> {
  const { live, person, tell } = context;
  const facts = await context.facts();
  const choices = choicesFrom(spec, facts);
  const weak = isTooVague(scored(live.loop, score)) ? weakQuestions(score, choices) : [];
  const others = gaps.filter(({ about }) => !weak.some((each) => each.about === about));
  if (person === null) for (const gap of gaps) tell({ type: "note", text: gapText(gap) });
  const questions = person === null ? [] : [...weak, ...gapQuestions(others, choices)];
  const answer = await askModel(context, {
    purpose: "intent",
    id: "intent",
    text: intentText(spec, questions, facts),
    schema: intentAnswer,
  });
  if (answer === null) return { questions, echo: null };
  return { questions: withProposals(questions, answer), echo: echoOfModel(answer) };
}

/** Until the answers make the spec clear enough. null: nobody answers, and it isn't. */
async function askPerson(
  context: StageContext,
  first: Understood,
  questions: readonly IntentQuestion[],
): Promise<Understood | null> {
  const { person, live } = context;
  const isVague = ({ score }: Understood): boolean => isTooVague(scored(live.loop, score));
  let understood = first;
  let open = questions;
  if (person === null) return isVague(first) ? null : first;
  for (let round = 1; open.length > 0 && round <= MOST_ROUNDS; round += 1) {
    const { total } = understood.score;
    const why = isVague(understood)
      ? `The spec is too vague to run (${total}/10). It leaves this open:`
      : "Before anything is spent:";
    const answers = await person.answer(why, open);
    if (answers === null || answers.length === 0) break;
    const asked = answers.map((each) => ({ ...each, question: questionOf(open, each) }));
    understood = answeredBy(live.loop, first, [...understood.answers, ...asked]);
    if (!isVague(understood)) break;
    open = weakQuestions(understood.score, choicesFrom(understood.spec, await context.facts()));
  }
  return isVague(understood) ? null : understood;
}

function questionOf(open: readonly IntentQuestion[], { about }: Answer): string {
  return open.find((each) => each.about === about)?.text ?? about;
}

function answeredBy(loop: Loop, first: Understood, answers: Understood["answers"]): Understood {
  const { criteria } = topFrame(loop);
  const telling = answers.filter(({ text }) => text !== CLEAR_ALREADY);
  if (telling.length === 0) return { ...first, answers };
  const spec = answeredSpec(first.spec, telling);
  const { mustNots, protects } = loop;
  return { spec, score: scoreAsked({ spec, criteria, mustNots, protects }), answers };
}

/** Shows what was understood. null: it isn't what was meant, and the loop is paused. */
async function confirm(
  context: StageContext,
  answered: Understood,
  echo: Echo | null,
): Promise<(Understood & { readonly echo: Echo }) | null> {
  const { live, person, tell } = context;
  let understood = { ...answered, echo: echo ?? (await echoFor(context, answered)) };
  for (let round = 1; round <= MOST_ROUNDS; round += 1) {
    tell({ type: "understood", echo: understood.echo });
    const shape = shapeOfWorkflow(scored(live.loop, understood.score), person !== null);
    if (person === null || (shape === "tool" && understood.answers.length === 0)) return understood;
    const said = await person.confirms(understood.echo);
    if (said.type === "yes") return understood;
    if (context.interrupts.asked()) return null;
    if (said.type === "no") break;
    const answer = { about: "outcome", text: said.text, question: "What is meant instead?" } as const;
    const first = { spec: topFrame(live.loop).spec, score: live.loop.score, answers: [] };
    const next = answeredBy(live.loop, first, [...understood.answers, answer]);
    understood = { ...next, echo: await echoFor(context, next) };
  }
  await recordOurs(context, [
    { type: "loop.paused", reason: "user", detail: "it isn't what was meant", by: "person" },
  ]);
  return null;
}

async function echoFor({ live, facts }: StageContext, { spec, score }: Understood): Promise<Echo> {
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
