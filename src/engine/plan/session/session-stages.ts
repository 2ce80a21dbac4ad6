import { factsOf } from "../../opening/propose-checks.ts";
import { expectActive } from "../../lifecycle/lifecycle.ts";
import { recordApproved } from "../../opening/checks-of-loop.ts";
import { isDriven, type Loop } from "../../../core/loop/loop.ts";
import type { Plan } from "../../../core/plan/plan.ts";
import { stageOf } from "../../../core/stages/stages.ts";
import { readAnswers, type Answer } from "../../../core/questions/intent/answers.ts";
import { choicesFrom, weakQuestions } from "../../../core/questions/intent/intent-question.ts";
import type { IntentQuestion } from "../../../core/questions/intent/intent-question.ts";
import { callerNow } from "../../../storage/loops/caller-now.ts";
import type { KnownLoop } from "../../../storage/loops/known-loop.ts";
import type { Machine } from "../../../storage/loops/machine.ts";
import { UserError } from "../../../core/user-error.ts";
import { NO_INTERRUPTS } from "../../run/run-context.ts";
import { recordOurs } from "../../run/take-loop.ts";
import { planOfLoop } from "../stages/adopt-plan.ts";
import { drawWorkShape } from "../stages/draw-work-shape.ts";
import type { StageContext } from "../stages/stage-context.ts";
import type { StageNews } from "../../../views/news/news.ts";
import {
  answeredBy,
  asGiven,
  summaryFor,
  intentSettled,
  isStillVague,
  withQuestions,
} from "../stages/understood.ts";

/** Where the workflow of a session is before its plan. */
export interface BeforePlan {
  readonly loop: Loop;
  /** What its user has to answer first. */
  readonly questions: readonly IntentQuestion[];
}

/**
 * Brings a session's workflow as far as it gets before its plan: settles what is meant, and draws the shape. The session's agent
 * passes the questions to its user, and the answers back; no model is asked, and nothing is recorded twice.
 */
export async function bringToPlan(
  machine: Machine,
  chosen: KnownLoop,
  answers: string | null,
  tell: (news: StageNews) => void,
): Promise<BeforePlan> {
  const context = stageContextOf(machine, chosen, tell);
  const { live } = context;
  expectActive(live.loop);
  const questions = stageOf(live.loop) === "intent" ? await questionsFor(context) : [];
  if (answers === null && questions.length > 0) return { loop: live.loop, questions };
  if (answers !== null && questions.length === 0)
    throw new UserError("Nothing is open that could be answered; see what is next with: loop status");
  if (stageOf(live.loop) === "intent") await settle(context, questions, answers);
  if (stageOf(live.loop) === "shape") await drawWorkShape(context);
  return { loop: live.loop, questions: [] };
}

/** Gives a workflow whose shape is drawn the plan that the session's agent wrote. */
export async function takePlan(machine: Machine, chosen: KnownLoop, plan: Plan): Promise<Loop> {
  return recordApproved(machine, chosen, (loop) => {
    expectActive(loop);
    if (stageOf(loop) !== "decompose")
      throw new UserError("First it has to be clear what is meant; see what is open with: loop answer");
    return [planOfLoop(loop, plan)];
  });
}

function stageContextOf(machine: Machine, chosen: KnownLoop, tell: (news: StageNews) => void): StageContext {
  const { live, workingDirectory } = chosen;
  const { id, binding, stages } = live.loop;
  if (stages === null || stages.wishes === null)
    throw new UserError(`The loop ${id} has no stages; open one that has with: loop start --workflow`);
  if (binding === null || isDriven(live.loop))
    throw new UserError(`No session works on the loop ${id}; resume it with: loop continue`);
  return {
    machine,
    live,
    chosen,
    run: binding.session,
    asker: null,
    person: null,
    interrupts: NO_INTERRUPTS,
    facts: async () => factsOf(machine, workingDirectory),
    tell,
  };
}

async function questionsFor({ live, facts }: StageContext): Promise<readonly IntentQuestion[]> {
  const given = asGiven(live.loop);
  return isStillVague(live.loop, given)
    ? weakQuestions(given.score, choicesFrom(given.spec, await facts()))
    : [];
}

/** One round of answers is enough: a session's user is there, and may say more at any time. */
async function settle(
  context: StageContext,
  questions: readonly IntentQuestion[],
  line: string | null,
): Promise<void> {
  const { live, machine, run, tell } = context;
  const answered = line === null ? [] : answersIn(line, questions);
  const understood = answeredBy(live.loop, withQuestions(questions, answered));
  const echo = await summaryFor(context, understood);
  const by = line === null ? "machine" : callerNow(machine).kind;
  const event = intentSettled(live.loop, { ...understood, echo }, { by, isAttended: true, modelScores: [] });
  const recorded = await recordOurs({ live, run }, [event], (loop) => stageOf(loop) === "intent");
  if (recorded === null) throw new UserError("It was answered meanwhile; see what is next with: loop status");
  tell({ type: "understood", echo });
}

function answersIn(line: string, questions: readonly IntentQuestion[]): readonly Answer[] {
  const read = readAnswers(line, questions);
  if (read.type === "unclear") throw new UserError(`${read.why}.`);
  if (read.answers.length === 0)
    throw new UserError("Nothing was answered; for example: loop answer '1A, 2B'");
  return read.answers;
}
