import type { Asked, Asker, Question } from "../../../core/questions/question.ts";
import type { Loop } from "../../../core/loop.ts";
import type { Stages, Wishes } from "../../../core/stages/stages.ts";
import type { ProjectFacts } from "../../../core/questions/project-facts.ts";
import type { LockedLoop } from "../../../storage/loops/locked-loop.ts";
import type { AgentChoice } from "../../run/agent-choice.ts";
import type { Interrupts } from "../../run/run-context.ts";
import type { OwnRun } from "../../run/take-loop.ts";
import type { StageNews } from "../../../views/news/stage-news.ts";
import type { StagePerson } from "./stage-person.ts";

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
  readonly chosen: LockedLoop;
  /** null: no model is asked. */
  readonly asker: Asker | null;
  /** Read once a run: nothing changes the files before there is a plan. */
  readonly facts: () => Promise<ProjectFacts>;
}

export function stagesOf({ id, stages }: Loop): Stages & { readonly wishes: Wishes } {
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
  const commit = await machine.git.headCommit(chosen.workplace.root);
  if ((asker.whyNobody?.(question) ?? null) === null) tell({ type: "asking", purpose: question.purpose });
  const asked: Asked<Answer> = await asker.ask({ ...question, commit }, interrupts.now);
  if (asked.type === "answered") return asked.answer;
  if (!interrupts.now.aborted) tell({ type: "unanswered", purpose: question.purpose, why: asked.why });
  return null;
}
