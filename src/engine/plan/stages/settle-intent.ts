import type { IntentSummary, ModelScore } from "../../../core/stages/stages.ts";
import { isOneLine } from "../../../core/questions/intent/answers.ts";
import {
  choicesFrom,
  summaryOfModel,
  intentAnswer,
  intentText,
  withProposals,
  gapQuestions,
  weakQuestions,
} from "../../../core/questions/intent/intent-question.ts";
import type { Gap } from "../../../core/questions/intent/model-scores.ts";
import {
  countedScores,
  gapsBetween,
  gapText,
  scoreAnswer,
  scoreText,
} from "../../../core/questions/intent/model-scores.ts";
import type { IntentQuestion } from "../../../core/questions/intent/intent-question.ts";
import { recordOurs } from "../../run/take-loop.ts";
import { askModel, type StageContext } from "./stage-context.ts";
import type { Understood } from "./understood.ts";
import {
  answeredBy,
  asGiven,
  correctedBy,
  summaryFor,
  intentSettled,
  isStillVague,
  shapeFor,
  withQuestions,
} from "./understood.ts";

const MOST_ROUNDS = 5;

/** Settles what is meant: asks what a weak spec leaves open, has the result confirmed, and records it with its score. */
export async function settleIntent(context: StageContext): Promise<void> {
  const { loop } = context.live;
  const first = asGiven(loop);
  // Before anything is spent on it.
  if (context.person === null && isStillVague(loop, first)) return pauseVague(context);
  const modelScores = await scoresOfModel(context, first.spec);
  const { questions, echo } = await openQuestions(context, first, gapsBetween(first.score, modelScores));
  // What was cut off is asked again.
  if (context.interrupts.now.aborted) return undefined;
  const answered = await askPerson(context, first, questions);
  if (answered === null) return context.interrupts.asked() ? undefined : pauseVague(context);
  const settled = await confirm(context, answered, answered === first ? echo : null);
  if (settled === null) return undefined;
  const isAttended = context.person !== null;
  const by = isAttended ? "person" : "machine";
  await recordOurs(context, [intentSettled(loop, settled, { by, isAttended, modelScores })]);
  return undefined;
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
): Promise<{ readonly questions: readonly IntentQuestion[]; readonly echo: IntentSummary | null }> {
  const { live, person, tell } = context;
  const facts = await context.facts();
  const choices = choicesFrom(spec, facts);
  const weak = isStillVague(live.loop, { score }) ? weakQuestions(score, choices) : [];
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
  return { questions: withProposals(questions, answer), echo: summaryOfModel(answer) };
}

/** Until the answers make the spec clear enough. null: nobody answers, and it isn't. */
async function askPerson(
  context: StageContext,
  first: Understood,
  questions: readonly IntentQuestion[],
): Promise<Understood | null> {
  const { person, live } = context;
  const isVague = (each: Understood): boolean => isStillVague(live.loop, each);
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
    const all = [...understood.answers, ...withQuestions(open, answers)];
    understood = answeredBy(live.loop, all, first);
    if (!isVague(understood)) break;
    open = weakQuestions(understood.score, choicesFrom(understood.spec, await context.facts()));
  }
  return isVague(understood) ? null : understood;
}

/** Shows what was understood, until it is what was meant. null: it isn't, or nobody answered; the loop is paused, or about to be. */
async function confirm(
  context: StageContext,
  answered: Understood,
  echo: IntentSummary | null,
): Promise<(Understood & { readonly echo: IntentSummary }) | null> {
  const { live, person, tell } = context;
  let understood = { ...answered, echo: echo ?? (await summaryFor(context, answered)) };
  for (let round = 1; round <= MOST_ROUNDS; round += 1) {
    tell({ type: "understood", echo: understood.echo });
    const shape = shapeFor(live.loop, understood, person !== null);
    const isAsGiven = understood.answers.length + understood.corrections.length === 0;
    if (person === null || (shape === "tool" && isAsGiven)) return understood;
    const said = await person.confirms(understood.echo, { isReplaced: isOneLine(understood.request) });
    if (said.type === "yes") return understood;
    if (context.interrupts.asked()) return null;
    if (said.type === "no") break;
    const next = await clarified(context, correctedBy(live.loop, understood, said.text));
    if (next === null) return null;
    understood = { ...next, echo: await summaryFor(context, next) };
  }
  await recordOurs(context, [
    { type: "loop.paused", reason: "user", detail: "it isn't what was meant", by: "person" },
  ]);
  return null;
}

/** What was said instead may leave more open than what it replaces. */
async function clarified(context: StageContext, corrected: Understood): Promise<Understood | null> {
  if (!isStillVague(context.live.loop, corrected)) return corrected;
  const choices = choicesFrom(corrected.spec, await context.facts());
  const answered = await askPerson(context, corrected, weakQuestions(corrected.score, choices));
  if (answered === null && !context.interrupts.asked()) await pauseVague(context);
  return answered;
}
