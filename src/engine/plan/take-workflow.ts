import { closeAbandonedQuestions, askerOfLoop } from "../asking/loop-account.ts";
import type { Asker } from "../../core/questions/question.ts";
import type { PlanMirror } from "./plan-mirror.ts";
import { isDriven, type Loop } from "../../core/loop/loop.ts";
import type { PlannedTask } from "../../core/plan/plan.ts";
import type { Workflow } from "../../core/plan/workflow.ts";
import type { Finding, ThoroughReview } from "../../core/stages/stages.ts";
import type { Decided } from "../../core/questions/review/counted-findings.ts";
import type { KnownLoop } from "../../storage/loops/known-loop.ts";
import type { Machine } from "../../storage/loops/machine.ts";
import { expectPerson } from "../lifecycle/expect-person.ts";
import type { AgentChoice } from "../run/agent-choice.ts";
import type { GoesOn, Interrupts } from "../run/run-context.ts";
import type { Executor } from "./executor.ts";
import type { WorkflowNews } from "../../views/news/news.ts";
import { witnessResults, type WitnessedLoop } from "../run/own-results.ts";
import { recordOurs, takeLoop, type OwnRun } from "../run/take-loop.ts";
import type { Workspace } from "./workspace.ts";

export interface WorkflowRequest {
  readonly choice: AgentChoice;
  /** Agents by their names, the chosen one first, then those that take over while it waits for a usage limit. */
  readonly agents: readonly string[];
  /** Whether each of them ends by itself at the budget that it is given. */
  readonly areCapped: boolean;
  /** How many attempts at once, as it is now; null: as many as the plan says. */
  readonly parallel: () => number | null;
  /** What is finished is delivered when the other tasks were given up. */
  readonly deliversDone: boolean;
  /** The program itself. */
  readonly cli: string;
  readonly interrupts: Interrupts;
  readonly executor: Executor;
  readonly workspace: Workspace;
  readonly mirror: PlanMirror;
  /** Whether two tasks touch the same files, as far as the plan says so. */
  readonly overlap: (one: string, other: string) => boolean;
  /** What becomes of findings; null: nobody is there who could say. */
  readonly decide: (asked: AskedDecision, signal: AbortSignal) => Promise<readonly Decided[] | null>;
  /** After a wave, for a loop that asks after each; null: nobody is asked. */
  readonly goesOn: ((loop: Loop, signal: AbortSignal) => Promise<GoesOn>) | null;
  readonly tell: (news: WorkflowNews) => void;
}

export interface AskedDecision {
  readonly review: ThoroughReview;
  readonly findings: readonly Finding[];
  /** Those of them that became a task before, which changed nothing. */
  readonly again: readonly Finding[];
}

/** A process that drives a workflow, and asks models about it. */
export interface AskingRun extends OwnRun {
  /** Puts questions to a model, which the loop pays for. */
  readonly asker: Asker;
}

/** One process that works on one plan. */
export interface WorkflowContext extends Omit<WorkflowRequest, "choice" | "cli">, AskingRun {
  /** Tasks are worked on by the agent of a session, and only judged and merged here. */
  readonly isSession: boolean;
  /** Its user decides what becomes of findings, through the session's agent. */
  readonly asksUser: boolean;
  /** Nobody has driven the loop before, nor has a session it: it was opened for this run. */
  readonly isFirstRun: boolean;
  readonly strangers: WitnessedLoop["strangers"];
}

export async function takeWorkflow(
  machine: Machine,
  chosen: KnownLoop,
  request: WorkflowRequest,
): Promise<WorkflowContext> {
  const { workflow, driven, binding } = chosen.live.loop;
  const resumed = (workflow?.attempts.length ?? 0) > 0;
  const isFirstRun = driven === null && binding === null;
  const own = await beginRun(machine, chosen, request);
  const { loop } = own.live;
  request.tell({ type: "workflow-began", loop, resumed, inPlace: request.workspace.isInPlace });
  return { ...request, ...own, ...witnessResults(own.live), isSession: false, asksUser: false, isFirstRun };
}

/** Takes a workflow over, in any of its stages, and closes the questions that a killed run left open. */
export async function beginRun(
  machine: Machine,
  chosen: KnownLoop,
  { choice, cli }: Pick<WorkflowRequest, "choice" | "cli">,
): Promise<AskingRun> {
  const { loop } = chosen.live;
  // As in a plain run: this would release a held session, which only a person may do.
  if (loop.binding !== null && !isDriven(loop)) await expectPerson(machine, "run", chosen);
  const own = await takeLoop(machine, chosen, choice);
  await closeAbandonedQuestions(machine, own.live, own.run);
  return { ...own, asker: askerOfLoop({ ...own, choice, cli }) };
}

/** A person is needed. False, for callers that go no further. */
export async function pauseBlocked(context: WorkflowContext, detail: string): Promise<false> {
  await recordOurs(context, [{ type: "loop.paused", reason: "blocked", detail, by: "machine" }]);
  return false;
}

export function workflowOf({ id, workflow }: Loop): Workflow {
  if (workflow === null) throw new Error(`the loop ${id} has no plan`);
  return workflow;
}

export function taskOf({ live }: Pick<WorkflowContext, "live">, id: string): PlannedTask {
  const task = workflowOf(live.loop).plan.tasks.find((each) => each.id === id);
  if (task === undefined) throw new Error(`the plan has no task ${id}`);
  return task;
}
