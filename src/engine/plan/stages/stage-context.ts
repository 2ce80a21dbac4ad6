import type { Asked, Asker, Question, ProjectFacts } from "../../../core/questions/question.ts";
import type { Loop } from "../../../core/loop/loop.ts";
import type { Stages, StageOptions, IntentSummary } from "../../../core/stages/stages.ts";
import type { KnownLoop } from "../../../storage/loops/known-loop.ts";
import type { AgentChoice } from "../../run/agent-choice.ts";
import type { Interrupts } from "../../run/run-context.ts";
import type { StageNews } from "../../../views/news/news.ts";
import { recordOurs, type OwnRun } from "../../run/take-loop.ts";
import type { Answer } from "../../../core/questions/intent/answers.ts";
import type { IntentQuestion } from "../../../core/questions/intent/intent-question.ts";
import type { LoopEvent } from "../../../core/events/event.ts";
import { evolveAll } from "../../../core/events/evolve.ts";

export interface StageRequest {
  readonly choice: AgentChoice;
  readonly interrupts: Interrupts;
  /** The program itself, which plays rehearsals. */
  readonly cli: string;
  /** null: nobody can be asked. */
  readonly person: StagePerson | null;
  readonly tell: (news: StageNews) => void;
}

/** One process that brings one workflow to its plan. */
export interface StageContext extends OwnRun, Omit<StageRequest, "choice" | "cli"> {
  readonly chosen: KnownLoop;
  /** null: no model is asked. */
  readonly asker: Asker | null;
  /** Read once a run: nothing changes the files before there is a plan. */
  readonly facts: () => Promise<ProjectFacts>;
}

export function stagesOf({ id, stages }: Loop): Stages & { readonly wishes: StageOptions } {
  if (stages === null || stages.wishes === null)
    throw new Error(`the loop ${id} has no stages before its plan`);
  return { ...stages, wishes: stages.wishes };
}

/** The answer, or null: the stage then goes its way without, and says so. */
export async function askModel<Answer>(
  { asker, machine, chosen, interrupts, tell }: StageContext,
  question: Omit<Question<Answer>, "commit">,
): Promise<Answer | null> {
  if (asker === null) return null;
  const commit = await machine.git.headCommit(chosen.workingDirectory.root);
  if ((asker.whyNobody?.(question) ?? null) === null) tell({ type: "asking", purpose: question.purpose });
  const asked: Asked<Answer> = await asker.ask({ ...question, commit }, interrupts.now);
  if (asked.type === "answered") return asked.answer;
  if (!interrupts.now.aborted) tell({ type: "unanswered", purpose: question.purpose, why: asked.why });
  return null;
}

/** What somebody says to what is shown: go on, stop here, or change this first. */
export type Said =
  | { readonly type: "yes" }
  | { readonly type: "no" }
  | { readonly type: "change"; readonly text: string };

/** The person at the terminal, as the stages before the plan see one. */
export interface StagePerson {
  /** null: nobody answered. */
  readonly answer: (why: string, questions: readonly IntentQuestion[]) => Promise<readonly Answer[] | null>;
  /** `isReplaced`: other words take the place of the spec; otherwise they go on top of it. */
  readonly confirms: (echo: IntentSummary, change: { readonly isReplaced: boolean }) => Promise<Said>;
  /** To a loop as it would be. */
  readonly agrees: (to: "shape" | "plan", loop: Loop) => Promise<Said>;
  /** Which of the commands that a model wrote, or the spec names, may run as checks; each has what it would show. */
  readonly approves: (
    commands: readonly { readonly name: string; readonly command: string }[],
    author: "model" | "spec",
  ) => Promise<ReadonlySet<string>>;
  /** Whether a test that a model wrote may run here, and is held out if it fails now. */
  readonly keeps: (test: {
    readonly criterion: string;
    readonly file: string;
    readonly content: string;
  }) => Promise<boolean>;
}

/** Shapes whose loops ask a person about each major step. */
const ASKING = new Set(["tool-review", "colleague"]);

interface Agreed {
  /** What should be different; null: nothing. */
  readonly change: string | null;
  /** Whether somebody has seen it. */
  readonly isShown: boolean;
}

/**
 * Shows what is about to be recorded to the person at the terminal, if the loop's shape asks for that. null: not like this, and
 * the loop is paused, or about to be.
 */
export async function agreedTo(
  context: StageContext,
  what: "shape" | "plan",
  events: readonly LoopEvent[],
): Promise<Agreed | null> {
  const { live, machine, person, interrupts } = context;
  if (person === null || !ASKING.has(live.loop.shape)) return { change: null, isShown: false };
  const after: Loop = evolveAll(live.loop, events, machine.now());
  const said = await person.agrees(what, after);
  if (interrupts.asked()) return null;
  if (said.type === "yes") return { change: null, isShown: true };
  if (said.type === "change") return { change: said.text, isShown: true };
  const detail = `the ${what} isn't agreed`;
  await recordOurs(context, [{ type: "loop.paused", reason: "user", detail, by: "person" }]);
  return null;
}
