import type { AskedLoop } from "../../../engine/opening/open-loop.ts";
import { scoreAsked } from "../../../engine/opening/open-loop.ts";
import { discoverHere, testsOf, whereFound, factsHere } from "../../../engine/opening/propose-checks.ts";
import type { Shape } from "../../../core/loop.ts";
import type { SpecScore } from "../../../core/spec/score.ts";
import { plainShape } from "../../../core/spec/score.ts";
import { printable } from "../../../system/text/plain-text.ts";
import { shellWord } from "../../../system/text/shell-word.ts";
import type { Context } from "../context.ts";
import type { Answer } from "../../../core/questions/intent/answered-spec.ts";
import { answeredSpec } from "../../../core/questions/intent/answered-spec.ts";
import { askAll } from "../questions/ask-all.ts";
import { choicesFrom } from "../../../core/questions/intent/choices.ts";
import { weakQuestions } from "../../../core/questions/intent/question.ts";
import { TOO_VAGUE } from "./exit-code.ts";
import { asksFirst } from "../../../core/questions/intent/vague.ts";
import { refuse } from "./too-vague.ts";

/** What a spec is scored by. */
type Asked = Pick<AskedLoop, "spec" | "criteria" | "mustNots" | "protects" | "shape">;

interface ClarifyFlags {
  readonly json?: boolean | undefined;
  /** How to do without answers. */
  readonly anyway: string;
}

/**
 * Decides how much the run asks. If a person is there to answer, asks what the spec leaves open. null: the spec is too vague
 * to spend money on, and the user has been told.
 */
export async function clarify<Of extends Asked>(
  context: Context,
  asked: Of,
  { attended, ...flags }: ClarifyFlags & { readonly attended: boolean },
): Promise<Of | null> {
  const shape = asked.shape ?? plainShape(scoreAsked(asked).total);
  if (!asksFirst(shape)) return { ...asked, shape: withPerson(shape, attended) };
  // A check says what done means, even for a short spec.
  if (asked.criteria.some(({ check }) => check !== null))
    return { ...asked, shape: withPerson("colleague", attended) };
  if (attended) return withAnswers(context, asked, shape, flags.anyway);
  const score = scoreAsked(asked);
  const refused = refuse(context, whyAsked(score, shape), score, flags);
  for (const line of await testsToAdd(context)) context.terminal.complain(line);
  return refused;
}

/** The tests that the project has already, as an option to copy. */
export async function testsToAdd({ machine }: Context): Promise<readonly string[]> {
  const found = await discoverHere(machine);
  const tests = testsOf(found);
  if (tests === null) return [];
  const option = shellWord(printable(`${tests.name}=${found.goThere}${tests.command}`));
  return [`This project has \`${printable(tests.command)}\`${whereFound(found)}; add it with: -c ${option}`];
}

/** Asks until the answers make the spec clear enough, or nobody answers. */
async function withAnswers<Of extends Asked>(
  context: Context,
  asked: Of,
  first: Shape,
  anyway: string,
): Promise<Of | null> {
  const facts = await factsHere(context.machine);
  const answers: Answer[] = [];
  let clear = asked;
  let score = scoreAsked(asked);
  for (let shape = first; asksFirst(shape) && score.questions.length > 0; shape = plainShape(score.total)) {
    const questions = weakQuestions(score, choicesFrom(clear.spec, facts));
    const heard = await askAll(context.terminal, whyAsked(score, shape), questions);
    if (heard === null) {
      context.terminal.complain(`loop: ${anyway}`);
      context.endWith(TOO_VAGUE);
      return null;
    }
    answers.push(...heard);
    clear = { ...asked, spec: answeredSpec(asked.spec, answers) };
    context.answers.setSpec(clear.spec);
    score = scoreAsked(clear);
  }
  return { ...clear, shape: plainShape(score.total) };
}

function whyAsked({ total }: SpecScore, shape: Shape): string {
  return asksFirst(plainShape(total))
    ? `The spec is too vague to run (${total}/10). Answer these in it, or give a check with -c 'NAME=COMMAND':`
    : `The shape ${shape} asks first; to run without questions, give another shape, or a check with -c 'NAME=COMMAND'.`;
}

/** With nobody to ask, a shape that would ask keeps working instead. */
function withPerson(shape: Shape, attended: boolean): Shape {
  return attended ? shape : "tool";
}
