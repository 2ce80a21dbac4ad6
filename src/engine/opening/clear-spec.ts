import { findHost } from "../../agents/hosts/hosts.ts";
import { typedAs } from "../../agents/hosts/typed-command.ts";
import { isWorkflow, topFrame, type Loop, type Shape } from "../../core/loop/loop.ts";
import { answeredSpec, type Answer } from "../../core/questions/intent/answers.ts";
import { choicesFrom, weakQuestions } from "../../core/questions/intent/intent-question.ts";
import { asksFirst } from "../../core/questions/intent/model-scores.ts";
import type { SpecScore } from "../../core/spec/score.ts";
import { persistenceIn, plainShape, shapeOfSpec } from "../../core/spec/shape.ts";
import type { Machine } from "../../storage/loops/machine.ts";
import { printable, oneLine, shellWord } from "../../system/text/plain-text.ts";
import { scoreAsked, type Scored } from "./asked-loop.ts";
import type { Opener, OpeningPerson } from "./opener.ts";
import { discoverHere, factsHere, testsOf, whereFound } from "./propose-checks.ts";
import type { Criterion } from "../../core/loop/criterion.ts";
import { hidesExitCode } from "../../verify/definitions/shell/hidden-exit-code.ts";
import { nameList } from "../../views/shortened.ts";
import { livingDriver, type KnownLoop } from "../../storage/loops/known-loop.ts";
import { surveyLoops } from "../../storage/loops/survey-loops.ts";
import { isOwn } from "../../storage/loops/choose-loop.ts";

/** A spec that is too vague to spend money on: nobody was there to ask, or nobody answered. */
export type Unclear =
  | { readonly type: "unanswered" }
  | {
      readonly type: "vague";
      readonly why: string;
      readonly score: SpecScore;
      /** The tests that the project has already, as an option to copy. */
      readonly tests: readonly string[];
    };

type Shaped = Scored & { readonly shape: Shape | null };

/** Decides how much the run asks. If a person is there to answer, asks what the spec leaves open. */
export async function clearSpec<Of extends Shaped>(
  { machine, person }: Pick<Opener, "machine" | "person">,
  asked: Of,
): Promise<{ readonly type: "clear"; readonly asked: Of } | Unclear> {
  const shaped = (shape: Shape): { readonly type: "clear"; readonly asked: Of } => ({
    type: "clear",
    // With nobody to ask, a shape that would ask keeps working instead.
    asked: { ...asked, shape: person === null ? "tool" : shape },
  });
  const score = scoreAsked(asked);
  const shape = asked.shape ?? shapeOfSpec(asked.spec, score.total);
  if (!asksFirst(shape)) return shaped(shape);
  // A check says what done means, even for a short spec.
  if (asked.criteria.some(({ check }) => check !== null))
    return shaped(persistenceIn(asked.spec) === null ? "colleague" : "tool");
  return person === null ? vague(machine, score, shape) : withAnswers(machine, person, asked, shape);
}

/** Nobody is there to say what it means. */
export async function vague(machine: Machine, score: SpecScore, shape?: Shape): Promise<Unclear> {
  return { type: "vague", why: whyAsked(score, shape), score, tests: await testsToAdd(machine) };
}

async function testsToAdd(machine: Machine): Promise<readonly string[]> {
  const found = await discoverHere(machine);
  const tests = testsOf(found);
  if (tests === null) return [];
  const option = shellWord(printable(`${tests.name}=${found.goThere}${tests.command}`));
  return [`This project has \`${printable(tests.command)}\`${whereFound(found)}; add it with: -c ${option}`];
}

/** Asks until the answers make the spec clear enough, or nobody answers. */
async function withAnswers<Of extends Shaped>(
  machine: Machine,
  person: OpeningPerson,
  asked: Of,
  first: Shape,
): Promise<{ readonly type: "clear"; readonly asked: Of } | Unclear> {
  const facts = await factsHere(machine);
  const answers: Answer[] = [];
  let clear = asked;
  let score = scoreAsked(asked);
  for (let shape = first; asksFirst(shape) && score.questions.length > 0; shape = plainShape(score.total)) {
    const questions = weakQuestions(score, choicesFrom(clear.spec, facts));
    const heard = await person.answers(whyAsked(score, shape), questions);
    if (heard === null) return { type: "unanswered" };
    answers.push(...heard);
    clear = { ...asked, spec: answeredSpec(asked.spec, answers) };
    person.said.setSpec(clear.spec);
    score = scoreAsked(clear);
  }
  return { type: "clear", asked: { ...clear, shape: shapeOfSpec(clear.spec, score.total) } };
}

/** Without a shape that somebody insists on, it is the spec's fault. */
function whyAsked({ total }: SpecScore, shape?: Shape): string {
  return shape === undefined || asksFirst(plainShape(total))
    ? `The spec is too vague to run (${total}/10). Answer these in it, or give a check with -c 'NAME=COMMAND':`
    : `The shape ${shape} asks first; to run without questions, give another shape, or a check with -c 'NAME=COMMAND'.`;
}

/** Warns about checks that can pass although what they run failed. The command stays as the user wrote it. */
export function checkNotices(criteria: readonly Pick<Criterion, "name" | "check">[]): readonly string[] {
  return criteria.flatMap(({ name, check }) =>
    check === null
      ? []
      : hidesExitCode(check.command).map(
          ({ where, advice }) =>
            `The check "${oneLine(name, 60)}" may pass although it failed (${oneLine(where, 60)}): ${advice}`,
        ),
  );
}

/** Warns, before it costs anything, about what is probably a mistake: guards that match nothing, work without a check, other agents. */
export async function openingNotices(machine: Machine, chosen: KnownLoop): Promise<readonly string[]> {
  const { loop } = chosen.live;
  const { mustNotFiles, protectedFiles } = chosen.approval;
  const empty = Object.entries(mustNotFiles).filter(([, files]) => Object.keys(files).length === 0);
  return [
    ...empty.map(([glob]) => `No file matches --must-not "path:${oneLine(glob, 60)}"; is there a typo?`),
    ...(loop.protects.length > 0 && Object.keys(protectedFiles).length === 0
      ? [
          `No file matches --protect ${loop.protects.map((glob) => `"${oneLine(glob, 60)}"`).join(", ")}; is there a typo?`,
        ]
      : []),
    ...(topFrame(loop).criteria.length === 0 && !isWorkflow(loop)
      ? [
          "No check decides when the work is done, only the agent's word. Add one with: -c 'tests pass=npm test'",
        ]
      : []),
    ...checkNotices(topFrame(loop).criteria),
    ...(await otherLoopNotices(machine, chosen)),
  ];
}

/** What the user of a session may type there about a loop that is unfinished; in a terminal they were asked before. */
function choicesAbout({ binding }: Pick<Loop, "binding">, id: string): string {
  const host = findHost(binding?.host);
  if (host === null || host.commandPrefix === null) return "";
  const [resume, status, start] = ["continue", "status", "start"].map((command) => typedAs(host, command));
  return ` Resume that instead: ${resume} --loop=${id}. See it: ${status} --loop=${id}. Start fresh: ${start} --start-fresh --loop=${id} SPEC`;
}

/** Other open loops of the project: those that are driven now edit the same files, and commands have to name the loop they mean. */
export async function otherLoopNotices(machine: Machine, chosen: KnownLoop): Promise<readonly string[]> {
  const { project } = chosen.live;
  const others = (await surveyLoops(machine, project)).found
    .filter(isOwn)
    .filter(({ id }) => id !== chosen.id);
  const isDriven = (each: (typeof others)[number]): boolean => livingDriver(each.live.loop) !== null;
  const idle = others.filter((each) => !isDriven(each));
  return [
    ...others
      .filter(isDriven)
      .map(({ id }) => `The loop ${id} is running here at the same time; both may change the same files.`),
    ...(idle.length === 0
      ? []
      : [
          `Also open here: ${nameList(idle.map(({ id }) => id))}. Choose a loop with --loop ID; this one is ${chosen.id}.${choicesAbout(chosen.live.loop, idle[0]?.id ?? "ID")}`,
        ]),
  ];
}
