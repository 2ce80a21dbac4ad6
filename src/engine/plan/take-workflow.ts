import { randomUUID } from "node:crypto";
import { closeAbandonedQuestions } from "../asking/abandoned-questions.ts";
import { askerOfLoop } from "../asking/loop-account.ts";
import type { Asker } from "../../core/questions/question.ts";
import { expectActive } from "../lifecycle/lifecycle.ts";
import type { PlanMirror } from "./plan-mirror.ts";
import type { LoopEvent } from "../../core/events/event.ts";
import type { SessionId } from "../../core/loop/id.ts";
import { parseSessionId } from "../../core/loop/id.ts";
import type { Loop } from "../../core/loop/loop.ts";
import { isActiveFor } from "../../core/loop/loop.ts";
import type { PlannedTask } from "../../core/plan/plan.ts";
import type { Workflow } from "../../core/plan/workflow.ts";
import type { Finding, ThoroughReview } from "../../core/stages/stages.ts";
import type { Decided } from "../../core/questions/review/counted-findings.ts";
import { JournalError } from "../../storage/journal/journal-error.ts";
import type { LiveLoop } from "../../storage/loops/live-loop.ts";
import type { LockedLoop } from "../../storage/loops/locked-loop.ts";
import type { Machine } from "../../storage/loops/machine.ts";
import { recordIf } from "../../storage/loops/journal-entries.ts";
import { ownMark } from "../../system/process/process-facts.ts";
import { endOfAbandoned } from "../run/abandoned-run.ts";
import type { AgentChoice } from "../run/agent-choice.ts";
import { rememberAgent } from "../run/agent-choice.ts";
import type { GoesOn } from "../run/run-context.ts";
import type { Interrupts } from "../run/interrupts.ts";
import { expectUndriven } from "../run/take-over.ts";
import { forgetSession, rememberSession } from "../../storage/home/session-files.ts";
import type { Executor } from "./executor.ts";
import type { WorkflowNews } from "../../views/news/news.ts";
import type { WitnessedLoop } from "./witness-results.ts";
import { witnessResults } from "./witness-results.ts";
import type { Workshop } from "./workshop.ts";

export interface WorkflowRequest {
  readonly choice: AgentChoice;
  /** Agents by their names, the chosen one first, then those that take over while it waits for a usage limit. */
  readonly agents: readonly string[];
  /** Whether each of them ends by itself at the budget that it is given. */
  readonly areCapped: boolean;
  /** How many attempts at once; null: as many as the plan says. */
  readonly parallel: number | null;
  /** The program itself. */
  readonly cli: string;
  readonly interrupts: Interrupts;
  readonly executor: Executor;
  readonly workshop: Workshop;
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

/** One process that drives one workflow. */
export interface OwnRun {
  readonly machine: Machine;
  readonly run: SessionId;
  readonly live: LiveLoop;
  /** Puts questions to a model, which the loop pays for. */
  readonly asker: Asker;
}

/** One process that works on one plan. */
export interface WorkflowContext extends Omit<WorkflowRequest, "choice" | "cli">, OwnRun {
  /** Tasks are worked on by the agent of a session, and only judged and merged here. */
  readonly isSession: boolean;
  /** Nobody has driven the loop before, nor has a session it: it was opened for this run. */
  readonly isFirstRun: boolean;
  readonly strangers: WitnessedLoop["strangers"];
}

export async function takeWorkflow(
  machine: Machine,
  chosen: LockedLoop,
  request: WorkflowRequest,
): Promise<WorkflowContext> {
  const { workflow, driven, binding } = chosen.live.loop;
  const resumed = (workflow?.attempts.length ?? 0) > 0;
  const isFirstRun = driven === null && binding === null;
  const own = await beginRun(machine, chosen, request);
  const { loop } = own.live;
  request.tell({ type: "workflow-began", loop, resumed, inPlace: request.workshop.isInPlace });
  return { ...request, ...own, ...witnessResults(own.live), isSession: false, isFirstRun };
}

/** One driver a loop at a time: the journal lets only one of two beginnings follow the same record. */
export async function beginRun(
  machine: Machine,
  { id, live }: LockedLoop,
  { choice, cli }: Pick<WorkflowRequest, "choice" | "cli">,
): Promise<OwnRun> {
  const { project } = live;
  const run = parseSessionId(`run-${randomUUID()}`) as SessionId;
  rememberSession(machine.home, run, { root: project.root, loop: id });
  try {
    await live.record((now) => {
      expectActive(now);
      expectUndriven(now);
      return [
        ...endOfAbandoned(project, now),
        { type: "run.began", run, driver: choice.driver, model: choice.model, process: ownMark() },
      ];
    });
  } catch (error) {
    forgetSession(machine.home, run, id);
    throw error;
  }
  rememberAgent(machine.home, project.root, id, choice);
  await closeAbandonedQuestions(machine, live, run);
  return { machine, run, live, asker: askerOfLoop({ machine, live, run, choice, cli }) };
}

/** Records that nobody drives the loop any more, as far as it can be recorded. */
export async function releaseWorkflow({ machine, run, live }: OwnRun): Promise<void> {
  forgetSession(machine.home, run, live.id);
  try {
    await live.record(({ driven }) =>
      driven?.run === run && driven.process !== null ? [{ type: "run.ended", run }] : [],
    );
  } catch (error) {
    if (!(error instanceof JournalError)) throw error;
  }
}

/** Records what happened, if the loop is still this run's and `isOpen` to it. null: it isn't; what others made of it stands. */
export async function recordOurs(
  { live, run }: Pick<OwnRun, "live" | "run">,
  events: readonly LoopEvent[],
  isOpen: (loop: Loop) => boolean = () => true,
): Promise<Loop | null> {
  return recordIf(
    live.record,
    (loop) => isActiveFor(loop, run) && isOpen(loop),
    () => events,
  );
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
